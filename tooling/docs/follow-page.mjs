// Follows a page of the docs: runs its commands, saves its files, and returns the output of the last command.
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The pages whose programs need a model, with scripted answers and terminal input. */
export const PAGES = {
  "start/agent.md": {
    script: [
      { calls: [{ name: "word_count", args: { path: "note.txt" } }] },
      { text: "note.txt has 3 words." },
    ],
  },
  "libraries/ai-sdk.md": {
    script: [
      { calls: [{ name: "create_file", args: { path: "hello.txt", content: "Hello!\n" } }] },
      { text: "Done." },
    ],
    typed: "y\n",
  },
};

/** Follows a page in a folder. `skips` lists the first words of commands that were run already. */
export async function followPage(name, { folder, env, skips = [] }) {
  const page = readFileSync(new URL(`../../docs/${name}`, import.meta.url), "utf8");
  // The last output that the page shows.
  const expected = [...page.matchAll(/```text\n([\s\S]*?)```/g)].at(-1)?.[1];
  let cwd = folder;
  let printed = "";
  for (const [, language, file, body] of page.matchAll(/```(sh|js)(?: \[(.+?)\])?\n([\s\S]*?)```/g)) {
    if (language === "js") {
      writeFileSync(join(cwd, file), body);
      continue;
    }
    for (const command of body.trim().split("\n")) {
      if (skips.some((start) => command.startsWith(start))) continue;
      if (command.startsWith("cd ")) cwd = join(cwd, command.slice(3));
      else printed = await runInShell(command, { cwd, env, typed: PAGES[name].typed });
    }
  }
  return { expected, printed };
}

/** Standard input stays open until the command ends, as at a terminal. */
function runInShell(command, { cwd, env, typed }) {
  const child = spawn("sh", ["-c", command], { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
  let printed = "";
  let complaints = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    printed += text;
    if (typed !== undefined && text.includes("(y/n)")) child.stdin.write(typed);
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    complaints += text;
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve(printed);
      else reject(new Error(`${command} failed with ${code}:\n${printed}${complaints}`));
    });
  });
}
