import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileRunJournalStore } from "@haft/agent/node";
import { openAiModel } from "@haft/agent/openai";
import { startScriptedModel } from "@haft/agent/scripted-model";
import { createNodeRuntime } from "@haft/runtime-node";
import { expect, test } from "vitest";
import { until, useConsole } from "../../test-support/console-client.js";

import { RunHub } from "./run-hub.js";

const open = useConsole();

test("S4 console: messages that arrive together continue an ended run, and none is lost", async () => {
  const { get, post, fixture } = await open({ script: () => ({ text: "Ok." }) });
  const { runId } = JSON.parse((await post("start", { task: "First." })).body);
  const isOver = (runs: readonly { status: string }[]) => runs[0]?.status === "done";
  await until(() => get("runs"), isOver);
  const said = ["Second.", "Third.", "Fourth."];
  const answers = await Promise.all(said.map((text) => post("say", { runId, text })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  await until(
    async () => JSON.stringify(fixture.requests.at(-1)),
    (heard) => said.every((text) => heard.includes(text)),
  );
});

test("S4 console: simultaneous messages continue an ended run, each once", async () => {
  const root = mkdtempSync(join(tmpdir(), "haft-hub-"));
  const model = await startScriptedModel(() => ({ text: "Ok." }));
  const openRuntime = () =>
    createNodeRuntime({ workspace: root, role: "reader", env: { XDG_STATE_HOME: join(root, "state") } });
  const openRun = async () => ({
    runtime: await openRuntime(),
    model: openAiModel({ baseUrl: model.url, model: "scripted" }),
  });
  const runs = new FileRunJournalStore(join(root, "runs"));
  const hub = new RunHub({ root, runs, openRuntime, openRun }, () => {});
  const runId = await hub.start("First.");
  const isOver = () => until(async () => hub.live(runId) === undefined, Boolean);
  await isOver();
  const said = ["Second.", "Third.", "Fourth."];
  await Promise.all(said.map((text) => hub.say(runId, text)));
  await isOver();
  const heard = (await hub.events(runId)).flatMap((event) =>
    event.type === "message.user" ? [event.text] : [],
  );
  expect(heard).toEqual(["First.", ...said]);
  await hub.close();
  await model.close();
  rmSync(root, { recursive: true });
});
