import { ToolError } from "@haft/core";
import {
  type CapturedOutput,
  COMMAND_HOST,
  type CodeSandbox,
  type CommandHost,
  type CommandOutput,
  type ProcessRunner,
} from "@haft/core/capabilities";
import { describeToolContract } from "@haft/testing";
import { ExecuteCommand } from "./execute-command/execute-command-tool.js";
import { Process } from "./process/process-tool.js";
import { RunCode } from "./run-code/run-code-tool.js";

const nothing: CapturedOutput = { text: "", totalBytes: 0, omittedBytes: 0 };
const said: CapturedOutput = { text: "hello\n", totalBytes: 6, omittedBytes: 0 };
const output: CommandOutput = {
  stdout: said,
  stderr: nothing,
  durationMs: 1,
  timedOut: false,
  leftBehind: false,
};

const processes: ProcessRunner = {
  run: () => Promise.reject(new Error("not used")),
  // Like a real runner, which alone knows where a path leads.
  open: async ({ cwd = "." }) => {
    if (cwd !== ".") throw new ToolError("INVALID_PATH", "outside");
    return {
      cwd,
      changeDirectory: async () => true,
      list: async () => [],
      pipe: async () => ({ exitCode: 0 }),
      write: () => false,
      output: () => output,
      close: async () => output,
    };
  },
};

const sandbox: CodeSandbox = {
  tier: "none",
  run: async () => ({
    stdout: said,
    stderr: nothing,
    exitCode: 0,
    durationMs: 1,
    timedOut: false,
    changes: [],
    conflicts: [],
    warnings: [],
  }),
};

const host: CommandHost = {
  ...(COMMAND_HOST.create?.(() => undefined as never) as CommandHost),
  judgePath: () => "inside",
};
const services = [[COMMAND_HOST, host]] as const;

describeToolContract(ExecuteCommand, {
  processes,
  sandbox,
  services,
  args: { command: "echo hello" },
  failing: [{ command: "rm -rf /" }, { command: "echo $(x)" }],
});
describeToolContract(RunCode, { sandbox, args: { language: "python", code: "print('hello')" } });
describeToolContract(Process, {
  processes,
  args: { action: "list" },
  failing: [{ action: "read", id: "p1" }],
});
