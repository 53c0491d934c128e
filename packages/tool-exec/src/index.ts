// Importing this package registers all of its tools. Any export added here becomes public API.
export type { ArgvRule } from "./command-policy/argv-rule.js";
export type {
  CommandPlan,
  EnvironmentAssignment,
  GlobPiece,
  Joiner,
  PlannedCommand,
  PlannedRedirection,
  PlannedStep,
  PlannedWord,
  StandardDescriptor,
} from "./command-policy/command-plan.js";
export {
  type CommandPolicy,
  type CommandPolicyOptions,
  createCommandPolicy,
  defaultEnvironmentNames,
} from "./command-policy/command-policy.js";
export {
  type CommandDecision,
  decideArgv,
  decideCommand,
  decidePlan,
} from "./command-policy/decide-command.js";
export { defaultAllowList } from "./command-policy/default-allow-list.js";
export type { DirectoryEntry, ListDirectory } from "./command-policy/expand-word.js";
export { gitHardening, hardenGit, isRiskyGitKey } from "./command-policy/git-hardening.js";
export { lexicalPathCheck } from "./command-policy/lexical-path-check.js";
export { type ParsedCommand, parseCommand } from "./command-policy/parse-command.js";
export type { PathCheck, PathVerdict } from "./command-policy/path-check.js";
export { planXargs, type XargsBatch, type XargsInput } from "./command-policy/plan-xargs.js";
export {
  type PreparedCommand,
  type PreparedStep,
  prepareStep,
  type StepHost,
} from "./command-policy/prepare-step.js";
export {
  COMMAND_POLICIES,
  COMMANDS_CONFIG,
  CommandPolicies,
  type CommandsConfig,
} from "./execute-command/commands-config.js";
export { ExecuteCommand } from "./execute-command/execute-command-tool.js";
export { BACKGROUND_COMMANDS, BackgroundCommands } from "./process/background-commands.js";
export { Process } from "./process/process-tool.js";
export { RunCode } from "./run-code/run-code-tool.js";
