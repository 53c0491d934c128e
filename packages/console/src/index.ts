// The whole public surface. Adding a name here makes it public API.
export type {
  ApprovalItem,
  ChangeMark,
  ConsoleEvent,
  DecisionRequest,
  Failure,
  FileContent,
  RulesInfo,
  RunSummary,
  TeamInfo,
  TreeEntry,
  TrustQuestion,
  UndoOutcome,
  UsedGrant,
  WideningConfig,
  WorkspaceInfo,
} from "./protocol.js";
export { type ConsoleOptions, type ConsoleServer, serveConsole } from "./serve-console.js";
export type { ConsoleTeam } from "./team/shared-team.js";
export type {
  ConsoleWorkspace,
  PreparedRun,
  RuntimeRequest,
  WorkspaceTrust,
} from "./workspace/console-workspace.js";
