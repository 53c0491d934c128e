import type { PathSelection } from "@haft/text";
import type { CapturedOutput } from "./process-runner.js";

/**
 * Runs code on a view of the workspace for tools with the RunCode permission. Fails closed: without a sandbox, the code
 * does not run. It changes no files itself: it returns the changes as data, and the caller records them in the
 * workspace.
 */
export interface CodeSandbox {
  /** The kind of sandbox, once known. */
  readonly tier: string;
  /** Rejects with SANDBOX_UNAVAILABLE if code cannot be confined, before anything runs. */
  run(request: SandboxRequest, signal: AbortSignal): Promise<SandboxOutcome>;
  /** Ends processes that were prepared but never used. */
  dispose?(): Promise<void>;
}

export interface SandboxRequest {
  readonly argv: readonly [string, ...string[]];
  /** Commands find the host's toolchains on their PATH; code (the default) finds the system's programs. */
  readonly kind?: "code" | "command";
  /**
   * Git-ignored folders that the box shares with the workspace, so that builds stay incremental: none (the default),
   * build output and caches, or installed packages as well. Writes to them cannot be undone.
   */
  readonly passThrough?: "none" | "ignored" | "packages";
  /**
   * Repository access in the box: names and versions (the default), one repository read-only, or one repository
   * writable.
   */
  readonly repository?: "masked" | "read" | "write";
  /** The workspace folders that git runs in. The box sees the nearest repository around each. */
  readonly gitFolders?: readonly string[];
  /** What the box can reach through its proxy. Defaults to no network at all. */
  readonly network?: SandboxNetwork;
  /** Loopback ports of this machine that forward to the same ports in the box; for background commands only. */
  readonly ports?: readonly number[];
  /**
   * Paths that rules close to the code; hidden like the host's secrets. A sandbox that cannot hide them rejects. Set by
   * the kernel.
   */
  readonly closed?: readonly PathSelection[];
  /** Workspace-relative. */
  readonly cwd?: string;
  /** Replaces `{script}` among the arguments: a file that only this run can see. */
  readonly script?: { readonly name: string; readonly content: string };
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Omitted only if the signal ends the run. */
  readonly timeoutMs?: number;
  /**
   * Runs on the workspace itself instead of a view, until the signal ends it. Everything but shared and temporary
   * folders is read-only, so there are no changes. For background commands.
   */
  readonly live?: boolean;
  /** True for a read-only command: it runs on the workspace itself, read-only, which is faster than a view. */
  readonly reads?: boolean;
  /** True for a command that renames folders of the workspace, which not every kind of view supports. */
  readonly renamesFolders?: boolean;
  /**
   * Paths that the command may remove or rename. An ignored folder at or below one of them is not shared: a shared
   * folder cannot be removed as a whole, and what was deleted in it would be lost if the run is stopped.
   */
  readonly removes?: readonly string[];
  /** Called once the program accepts input. The function returns false when it no longer does. */
  onInput?(type: (text: string) => boolean): void;
  /** Called with output as it arrives, for live display. */
  onOutput?(chunk: string, stream: "stdout" | "stderr"): void;
}

/** Hosts on the host's allow list are reachable as well. */
export interface SandboxNetwork {
  /** Hosts approved for this run. */
  readonly hosts: readonly string[];
  /** Grants access to the user's configured npm registries, read-only and with the user's credentials. */
  readonly registry: boolean;
  /**
   * Checks an address against the host's rules before connecting; rejects if it is refused. A tunnel's content is not
   * visible, so a rule about any path of its host applies to it.
   */
  admit?(url: string, how: { readonly isTunnel: boolean }): Promise<void>;
}

export type SandboxLimit = "cpu" | "memory" | "time" | "files" | "pids" | "network";

export interface SandboxOutcome {
  readonly stdout: CapturedOutput;
  readonly stderr: CapturedOutput;
  /** 128 plus the signal number if a signal ended it. */
  readonly exitCode: number;
  readonly durationMs: number;
  readonly limitHit?: SandboxLimit;
  /** True if the time limit stopped it, even if it hit another limit first. */
  readonly timedOut: boolean;
  /** The changes in the code's view, in the order they can be recorded. Empty for a run that was stopped. */
  readonly changes: readonly SandboxChange[];
  /** Paths that were changed concurrently outside the sandbox. If there are any, `changes` is empty: all or nothing. */
  readonly conflicts: readonly string[];
  /** The first of more changes than one run may record. `changes` is then empty: all or nothing. */
  readonly unrecorded?: readonly UnrecordedChange[];
  /** True if `changes` is incomplete: content the code removed may then exist nowhere else. */
  readonly isPartial?: boolean;
  /** Folders shared with the workspace. Changes in them are already applied and cannot be undone. */
  readonly passedThrough?: readonly string[];
  /** True if processes outlived the command and were killed. */
  readonly leftBehind?: boolean;
  /** Path of the full output, up to a cap, on the host's disk; set if the output was truncated. */
  readonly logPath?: string;
  /** What `changes` leaves out and why: files that would later run as code, or are too large to record. */
  readonly warnings: readonly string[];
}

export interface UnrecordedChange {
  readonly kind: "create" | "modify" | "delete";
  readonly path: string;
}

export type SandboxChange =
  | {
      readonly kind: "file";
      readonly path: string;
      readonly bytes: Uint8Array;
      readonly mode: number;
      readonly modifiedMs?: number;
    }
  | { readonly kind: "directory"; readonly path: string; readonly mode?: number }
  /** New permissions of a folder that existed before. */
  | { readonly kind: "mode"; readonly path: string; readonly mode: number }
  | { readonly kind: "symlink"; readonly path: string; readonly target: string }
  | { readonly kind: "delete"; readonly path: string }
  /** A renamed file or folder, otherwise unchanged. */
  | { readonly kind: "move"; readonly from: string; readonly path: string };
