// Tries the questions of docs/questions.md as a new user would: with installed packages, from empty folders, by the
// pages' own commands.
import { readFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { startScriptedModel } from "@haft/agent/scripted-model";
import { isInstalled, openTrial } from "./question-kit.mjs";
import { EVERY_DAY } from "./questions-every-day.mjs";
import { EXTEND } from "./questions-extend.mjs";
import { SET_UP } from "./questions-set-up.mjs";
import { startProviders } from "./stand-in-providers.mjs";

const TRIALS = { ...SET_UP, ...EVERY_DAY, ...EXTEND };
/** Their answer is a page, or needs a database; tests of their own follow them. */
const PAGES = ["Windows and macOS", "many machines", "API reference", "changelog"];
/** At a terminal, which takes util-linux. */
const TYPED = ["stop being asked", "revoke"];

/** `env` leads to a registry that has the packages; `only` names topics. Throws if an answer does not work. */
export async function tryQuestions({ folder, env, only = [] }) {
  const prefix = join(folder, "global");
  const own = { ...env, npm_config_prefix: prefix, PATH: `${join(prefix, "bin")}:${env.PATH}` };
  const providers = await startProviders();
  const failed = [];
  try {
    for (const { number, topic } of questions()) {
      if (PAGES.includes(topic) || (only.length > 0 && !only.includes(topic) && topic !== "install"))
        continue;
      if (TYPED.includes(topic) && !isInstalled("script")) {
        console.log(`question ${number}, ${topic}: skipped, script is not installed`);
        continue;
      }
      const started = Date.now();
      try {
        await TRIALS[topic](openTrial({ folder, env: own, scriptedModel, providers }));
        console.log(`question ${number}, ${topic}: ${((Date.now() - started) / 1000).toFixed(1)} s`);
      } catch (error) {
        failed.push(`question ${number}, ${topic}: ${error.message}`);
      }
    }
  } finally {
    providers.close();
  }
  if (failed.length > 0) throw new Error(failed.join("\n"));
}

/** The numbered questions, each with the topic that it names. */
function questions() {
  const page = readFileSync(new URL("../../docs/questions.md", import.meta.url), "utf8");
  const topics = [...Object.keys(TRIALS), ...PAGES];
  return [...page.matchAll(/^(\d+)\. (.+?\?) /gm)].map(([, number, question]) => {
    const topic = topics.find((each) => question.toLowerCase().includes(each.toLowerCase()));
    if (topic === undefined) throw new Error(`nothing tries question ${number}: ${question}`);
    return { number, topic };
  });
}

/** On a port of its own, or also on the one that a page names. */
async function scriptedModel(script, port) {
  const model = await startScriptedModel(script);
  if (port === undefined) return model;
  const passing = createServer((socket) => {
    const onward = connect(Number(new URL(model.url).port), "127.0.0.1");
    socket.pipe(onward).pipe(socket);
    socket.on("error", () => onward.destroy());
    onward.on("error", () => socket.destroy());
  });
  await new Promise((resolve, reject) => passing.on("error", reject).listen(port, "127.0.0.1", resolve));
  const close = async () => {
    passing.close();
    await model.close();
  };
  return { requests: model.requests, url: model.url, close };
}
