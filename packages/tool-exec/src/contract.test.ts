import {
  type CapturedOutput,
  COMMAND_HOST,
  type CodeSandbox,
  type CommandOutput,
  type ProcessRunner,
  ToolError,
} from "@haft/core";
import { describeToolContract } from "@haft/testing";
import { ExecuteCommandTool } from "./execute-command/execute-command-tool.js";
import { ProcessTool } from "./process/process-tool.js";
import { RunCodeTool } from "./run-code/run-code-tool.js";

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
  // As a real runner does, which is the one that knows where a path leads.
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

const host = {
  judgePath: () => "inside",
  scripts: () => [],
  gitKeys: () => [],
  gitKinds: () => [],
  gitLogNames: () => [],
  gitIdentity: () => ({}),
} as const;
const services = [[COMMAND_HOST, host]] as const;

describeToolContract(ExecuteCommandTool, {
  processes,
  sandbox,
  services,
  args: { command: "echo hello" },
  failing: [{ command: "rm -rf /" }, { command: "echo $(x)" }],
});
describeToolContract(RunCodeTool, { sandbox, args: { language: "python", code: "print('hello')" } });
describeToolContract(ProcessTool, {
  processes,
  args: { action: "list" },
  failing: [{ action: "read", id: "p1" }],
});
