import { ToolError } from "@haft/core";
import type { LocateOptions, Location } from "@haft/core/workspace";
import { invalidPath, showPath } from "@haft/core/workspace";
import { isGitStore } from "@haft/text/path-rules";
import { coveredBy } from "./covered-by.js";
import { foldParts, NameGuard, type NameRules } from "./name-guard.js";
import { definesCommands, isProtected, isUntouchable } from "./protected-names.js";

export interface PathGuardOptions {
  /** Patterns added to the built-in sensitive names. */
  readonly sensitive?: readonly string[] | undefined;
  /** Patterns added to the built-in protected names. */
  readonly protected?: readonly string[] | undefined;
  /** Workspace paths that no tool may reach: the state of this and other workspaces, if it is inside the root. */
  readonly reserved?: readonly string[] | undefined;
}

/** Decides about workspace paths by their names. Checks a path as given and again as resolved. */
export class PathGuard {
  /** The rules for reading, as plain data for another thread. */
  readonly rules: NameRules;
  readonly #names: NameGuard;
  readonly #isProtected: (path: string) => boolean;

  constructor(options: PathGuardOptions = {}) {
    this.rules = { sensitive: options.sensitive ?? [], reserved: options.reserved ?? [] };
    this.#names = new NameGuard(this.rules.reserved, coveredBy(this.rules.sensitive));
    this.#isProtected = coveredBy(options.protected);
  }

  /** Throws unless a path may be used for a purpose. Returns whether writing it needs approval. */
  judge(path: string, given: string, purpose: LocateOptions["purpose"] = "read"): Location {
    if (path === "") return { path, protected: false };
    if (this.isHidden(path)) throw invalidPath(given, "is reserved");
    if (this.isSensitive(path)) assertMayOnlyWrite(path, given, purpose);
    if (purpose !== "write") return { path, protected: false };
    const parts = foldParts(path);
    if (isUntouchable(parts)) throw untouchable(given);
    const sealed = isProtected(parts) || this.#isProtected(path);
    return { path, protected: sealed || definesCommands(parts), sealed };
  }

  isSensitive(path: string): boolean {
    return this.#names.isSensitive(path);
  }

  /** Returns true for Haft's own files, which are never listed or opened. */
  isHidden(path: string): boolean {
    return this.#names.isHidden(path);
  }

  mayOpen(path: string): boolean {
    return this.#names.mayOpen(path);
  }
}

/** Repository contents are never readable. Creating a repository needs approval, like writing to one. */
function assertMayOnlyWrite(path: string, given: string, purpose: LocateOptions["purpose"]): void {
  if (!isGitStore(foldParts(path))) throw sensitive(given);
  if (purpose !== "write") throw repositoryStore(given);
}

export function sensitive(given: string): ToolError {
  return new ToolError(
    "SENSITIVE_FILE",
    `${showPath(given)} is a sensitive file; its content is out of reach`,
    {
      hint: "Files with secrets are never opened. Ask the user for what you need.",
      details: { path: given },
    },
  );
}

function repositoryStore(given: string): ToolError {
  return new ToolError(
    "PROTECTED_PATH",
    `${showPath(given)} belongs to the repository itself; file tools neither read nor write it`,
    {
      hint: "It can contain passwords and every secret that was ever committed. Git commands such as git remote -v, git log and git show REVISION:PATH show the rest.",
      details: { path: given },
    },
  );
}

function untouchable(given: string): ToolError {
  return new ToolError(
    "PROTECTED_PATH",
    `${showPath(given)} belongs to Haft's own settings; tools never write it`,
    {
      hint: "Ask the user to change it.",
      details: { path: given },
    },
  );
}
