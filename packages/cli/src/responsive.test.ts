import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startScriptedModel } from "@haft/agent/scripted-model";
import { describe, expect, it, vi } from "vitest";
import { inTerminal } from "./fixtures/pty-session.js";
import { temporaryWorkspace } from "./fixtures/temporary-workspace.js";

vi.setConfig({ testTimeout: 120_000 });

const WATCH = fileURLToPath(new URL("fixtures/watch-stalls.cjs", import.meta.url));
const OUTPUT_BYTES = 50_000_000;
const MAX_ANSWER_MS = 150;
const MAX_STALL_MS = 100;

describe("FU5 a session stays responsive", () => {
  it("answers Enter within 150 ms and never blocks for 100 ms while 50 MB of output stream in", async () => {
    const workspace = temporaryWorkspace();
    const line = "a line of output that is about as long as those of most programs are, so eighty\\n";
    const loop = `const line = ${JSON.stringify(line).replaceAll("\\\\", "\\")}.repeat(1000); for (let sent = 0; sent < ${OUTPUT_BYTES}; sent += line.length) require("fs").writeSync(1, line);`;
    workspace.write("print.cjs", loop);
    const model = await startScriptedModel([
      { calls: [{ name: "execute_command", args: { command: "node print.cjs" } }] },
      { text: "All printed." },
    ]);
    const stalls = join(workspace.folder, "stalls.json");
    try {
      const talk = inTerminal(["run", "--base-url", model.url, "--model", "scripted", "--approve", "all"], {
        cwd: workspace.folder,
        env: {
          NODE_OPTIONS: `--require ${WATCH}`,
          HAFT_STALLS: stalls,
          HAFT_STALLS_FROM: "a line of output",
        },
      });
      await talk.until(/Type a task[\s\S]*›$/);
      talk.type("print it\r");
      await talk.until(/✓ execute_command[\s\S]*All printed\.[\s\S]*\/help\n›$/);
      talk.type("/quit\r");
      expect(await talk.ended).toBe(0);
      const { longestMs, answerMs } = JSON.parse(readFileSync(stalls, "utf8"));
      console.info(`answer ${answerMs.toFixed(1)} ms, longest stall ${longestMs.toFixed(1)} ms`);
      expect(answerMs).toBeLessThan(MAX_ANSWER_MS);
      expect(longestMs).toBeLessThan(MAX_STALL_MS);
    } finally {
      await model.close();
      workspace.remove();
    }
  });
});
