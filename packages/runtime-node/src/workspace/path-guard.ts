import { isInside, type LocateOptions, type Location, ToolError } from "@haft/core";
import { compilePathPattern } from "@haft/text";
import { invalidPath, showPath } from "./path-error.js";
import { isProtected, isUntouchable } from "./protected-names.js";
import { isSensitive } from "./sensitive-names.js";
import { tempOwner } from "./temp-name.js";

export interface PathGuardOptions {
  /** Patterns added to the built-in sensitive names. */
  readonly sensitive?: readonly string[] | undefined;
  /** Patterns added to the built-in protected names. */
  readonly protected?: readonly string[] | undefined;
  /** Workspace paths nobody may reach: where the journals lie, this one's and others', if that is inside the root. */
  readonly reserved?: readonly string[] | undefined;
}

/** Judges workspace paths by their names alone. Asked about a path as given and again as resolved. */
export class PathGuard {
  readonly #isSensitive: (path: string) => boolean;
  readonly #isProtected: (path: string) => boolean;
  readonly #reserved: readonly string[];

  constructor(options: PathGuardOptions = {}) {
    this.#isSensitive = anyOf(options.sensitive);
    this.#isProtected = anyOf(options.protected);
    this.#reserved = options.reserved ?? [];
  }

  /** Throws unless a path may be used for a purpose; says whether writing it needs a person. */
  judge(path: string, given: string, purpose: LocateOptions["purpose"] = "read"): Location {
    if (path === "") return { path, protected: false };
    if (this.isHidden(path)) throw invalidPath(given, "is reserved");
    const parts = foldParts(path);
    if (this.#holdsSecrets(path, parts)) throw sensitive(given);
    if (purpose !== "write") return { path, protected: false };
    if (isUntouchable(parts)) throw untouchable(given);
    return { path, protected: isProtected(parts) || this.#isProtected(path) };
  }

  isSensitive(path: string): boolean {
    return path !== "" && this.#holdsSecrets(path, foldParts(path));
  }

  /** Our own files: nobody sees them in a listing, and nobody opens them. */
  isHidden(path: string): boolean {
    if (this.#reserved.some((reserved) => isInside(path, reserved))) return true;
    return path.includes(".haft-") && path.split("/").some((name) => tempOwner(name) !== undefined);
  }

  #holdsSecrets(path: string, parts: readonly string[]): boolean {
    return isSensitive(parts) || this.#isSensitive(path);
  }
}

export function sensitive(given: string): ToolError {
  return new ToolError(
    "SENSITIVE_FILE",
    `${showPath(given)} is a sensitive file; its content is out of reach`,
    {
      hint: "Files that hold secrets are never opened. Ask the user for what you need from it.",
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

/** A pattern that matches a directory covers everything below it. */
function anyOf(patterns: readonly string[] = []): (path: string) => boolean {
  if (patterns.length === 0) return () => false;
  const matches = compilePathPattern(patterns, { ignoreCase: true });
  return (path) => {
    for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1))
      if (matches(path.slice(0, end))) return true;
    return false;
  };
}

function foldParts(path: string): readonly string[] {
  return path.split("/").map(foldName);
}

/** One spelling for names that some file system would take for the same: case, width, invisible characters. */
function foldName(name: string): string {
  const plain = ASCII.test(name) ? name : name.normalize("NFKC").replace(INVISIBLE, "");
  return plain.toLowerCase().replace(TRAILING, "");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII is meant
const ASCII = /^[\x00-\x7f]*$/;
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;
const TRAILING = /[. ]+$/;
