// Records a session of `haft` on this repository: a search, a patch of two files that a person reads and approves,
// tests in the box, a follow-up and an undo. Draws the final screen as docs/session.svg, the picture in the README. The
// model and the keystrokes are scripted; everything else is real.
// Usage: node tooling/session-picture.mjs (after a build, in a clean working tree: the session undoes its changes)
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { drawTerminal } from "./draw-terminal.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const fromCli = createRequire(new URL("../packages/cli/package.json", import.meta.url));
const { Terminal } = fromCli("@xterm/headless");
const { startScriptedModel } = await import(fromCli.resolve("@haft/agent/scripted-model"));

const COLUMNS = 104;
const SOURCE = "packages/text/src/nearest-names.ts";
const TEST = "packages/text/src/nearest-names.test.ts";
const TASK = "Let nearestNames compare at most 60 characters instead of 80, and test that.";

const PATCH = `*** Begin Patch
*** Update File: ${SOURCE}
@@
-const maxLength = 80;
+const maxLength = 60;
*** Update File: ${TEST}
@@
-describe("nearestNames", () => {
+describe("nearestNames", () => {
+  it("compares the first 60 characters only", () => {
+    const name = "x".repeat(60);
+    expect(nearestNames(\`\${name}a\`, [\`\${name}bcdef\`])).toEqual([\`\${name}bcdef\`]);
+  });
+
*** End Patch`;

const TURNS = [
  {
    text: "I'll find the limit and its tests.",
    calls: [
      {
        name: "grep",
        args: { pattern: "maxLength = ", path: "packages/text", output_mode: "files_with_matches" },
      },
    ],
  },
  {
    calls: [
      { name: "read_file", args: { path: SOURCE, offset: 17, limit: 2 } },
      { name: "read_file", args: { path: TEST, offset: 14, limit: 4 } },
    ],
  },
  { text: "One patch changes both files.", calls: [{ name: "apply_patch", args: { patch: PATCH } }] },
  {
    text: "Now I run the tests in the sandbox.",
    calls: [{ name: "execute_command", args: { command: `npx vitest run ${TEST}` } }],
  },
  { text: "`nearestNames` now compares the first **60 characters**. All tests pass, the new one included." },
  {
    text: "No. Callers pass the names of tools, commands and parameters, and those are shorter than that.",
  },
];

await record();

async function record() {
  const terminal = new Terminal({ cols: COLUMNS, rows: 80, allowProposedApi: true });
  const model = await startScriptedModel(TURNS);
  const state = mkdtempSync(join(tmpdir(), "haft-picture-"));
  try {
    const talk = session(terminal, { model, state });
    await talk.until(/apply_patch needs approval[\s\S]*\n> ?$/);
    talk.type("y\r");
    await talk.until(/✓ execute_command[\s\S]*included\.[\s\S]*\/help\n›$/);
    talk.type("Does that break a caller?\r");
    await talk.until(/shorter than that\.[\s\S]*\/help\n›$/);
    talk.type("/undo all\r");
    await talk.until(/Undone:.*[\s\S]*›$/);
    writeFileSync(
      join(ROOT, "docs/session.svg"),
      drawTerminal(terminal, "A session of haft on its own repository"),
    );
    talk.type("/quit\r");
    await talk.ended;
  } finally {
    await model.close();
    rmSync(state, { recursive: true, force: true });
  }
}

/** Runs the command on a pseudo-terminal, like a person at a keyboard. */
function session(terminal, { model, state }) {
  const options = ["run", TASK, "--base-url", model.url, "--model", "scripted", "--context-tokens", "128000"];
  const haft = [process.execPath, join(ROOT, "packages/cli/bin/haft.js"), ...options];
  const command = `stty cols ${COLUMNS} rows 80; exec ${haft.map((word) => `'${word}'`).join(" ")}`;
  const child = spawn("/usr/bin/script", ["-qec", command, "/dev/null"], {
    cwd: ROOT,
    env: { ...process.env, TERM: "xterm-256color", NO_COLOR: "", XDG_STATE_HOME: state },
  });
  let look = () => {};
  // Fixed, so that the picture is the same on every machine.
  const folder = ROOT.slice(0, -1);
  child.stdout.setEncoding("utf8");
  child.stdout.on("data", (text) => terminal.write(text.replaceAll(folder, "~/haft"), () => look()));
  const screen = () => rowsOf(terminal).join("\n").trimEnd();
  return {
    ended: new Promise((resolve) => child.on("close", resolve)),
    type: (keys) => void child.stdin.write(keys),
    until: (shown) =>
      new Promise((resolve, reject) => {
        look = () => shown.test(screen()) && resolve();
        child.on("close", () => reject(new Error(`the session ended:\n${screen()}`)));
        setTimeout(() => reject(new Error(`not shown: ${shown}\n${screen()}`)), 120_000).unref();
        look();
      }),
  };
}

function rowsOf({ buffer: { active } }) {
  return Array.from(
    { length: active.length },
    (_, row) => active.getLine(row)?.translateToString(true).trimEnd() ?? "",
  );
}
