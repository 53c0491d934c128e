import type { Redact, WorkspaceStore } from "@haft/core";
import type { SandboxOutcome, SandboxRequest } from "@haft/core/capabilities";
import type { Environment } from "../secrets/scrubbed-environment.js";
import type { NetworkReach } from "./box-network.js";
import type { BoxSettings } from "./box-settings.js";
import type { BusyFolders } from "./busy-folders.js";
import type { ControlGroups } from "./control-group.js";
import type { SandboxPrograms } from "./find-bubblewrap.js";
import type { HostToolchains } from "./host-toolchains.js";
import type { OpenViews, ViewOptions } from "./open-view.js";
import type { IgnoredFolders } from "./pass-through.js";
import type { PreparedBoxes } from "./prepared-boxes.js";
import type { SandboxLimits } from "./sandbox-limits.js";
import type { WorkspaceScan } from "./workspace-scan.js";
import type { WorkspaceScanner } from "./workspace-scanner.js";

/** The host's sandbox options, for every back end. */
export interface SandboxOptions extends ViewOptions {
  readonly workspace: Pick<WorkspaceStore, "root" | "vet" | "local" | "locate" | "absolute">;
  readonly limits: SandboxLimits;
  /** Limits for one command. Default: the limits for code. */
  readonly commandLimits?: SandboxLimits | undefined;
  /** The host's environment, which locates its toolchains. */
  readonly env?: Environment | undefined;
  /** The folders that the repository ignored when the session started. If undefined, nothing is shared. */
  readonly isIgnored?: IgnoredFolders | undefined;
  /** Returns how many more boxes may run now. Limits how many are kept ready. */
  readonly freeTurns?: (() => number) | undefined;
  /** Network access for commands that have it. Without it such commands fail. */
  readonly reach?: NetworkReach | undefined;
  /** Redacts secrets in the output of commands. */
  readonly redact?: Redact | undefined;
  /** Where long output is written in full; outside the workspace. */
  readonly logDirectory?: string | undefined;
}

/** Settings shared by all boxes of a sandbox. */
export interface BoxContext extends SandboxOptions {
  readonly views: OpenViews;
  readonly scanner: WorkspaceScanner;
  readonly boxes: PreparedBoxes;
  readonly groups: ControlGroups;
  readonly busy: BusyFolders;
  readonly toolchains: HostToolchains;
  readonly settings: BoxSettings;
  readonly programs: SandboxPrograms;
}

/** Settings of a single run. */
export interface RunContext extends BoxContext {
  readonly signal: AbortSignal;
  readonly scan: WorkspaceScan;
  /** Absolute. */
  readonly cwd: string;
  readonly startedAtMs: number;
  /** Ignored folders that are in the view only because commands remove or rename them. */
  readonly rebuilt?: readonly string[] | undefined;
  /** The run before this one, which failed to rename a folder. */
  readonly failed?: SandboxOutcome | undefined;
  /** Requested paths that are not shown, and why. */
  readonly withheld: readonly string[];
}

export function limitsFor(
  { kind }: SandboxRequest,
  { limits, commandLimits }: SandboxOptions,
): SandboxLimits {
  return kind === "command" ? (commandLimits ?? limits) : limits;
}
