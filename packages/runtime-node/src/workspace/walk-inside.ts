import { type BigIntStats, readlinkSync } from "node:fs";
import { ToolError } from "@haft/core";
import { invalidPath, parsePath, showPath, tooManyLinks } from "@haft/core/workspace";
import type { HeldDirectory } from "./held-directory.js";
import { errnoOf } from "./system-error.js";
import { windowsPathProblem } from "./windows-name.js";

export interface WalkInsideOptions {
  /** "entry" stops at a link in the last place, "target" follows it (the default). */
  readonly follow?: "entry" | "target" | undefined;
  /** "refuse" for resolved paths: a link that appears on them was put there by another process. */
  readonly links?: "follow" | "refuse" | undefined;
  readonly given: string;
}

/** The end of a walk: the deepest existing directory, held, and the rest of the path. */
export interface Place {
  /** The workspace path with links resolved, including the part that does not exist yet. */
  readonly path: string;
  readonly directory: HeldDirectory;
  /** Empty if the path is the directory itself; one name for an entry of it; more if parents are missing. */
  readonly rest: readonly string[];
  /** The stats of the single name in `rest`; undefined if it does not exist. */
  readonly stats: BigIntStats | undefined;
  /** Whether the path contains a link whose target does not exist. */
  readonly isDangling: boolean;
  close(): void;
}

/** One walk from the root; see `PathJail`. */
export class WalkInside {
  readonly #root: HeldDirectory;
  readonly #rootSpellings: readonly string[];
  readonly #options: WalkInsideOptions;
  #held: HeldDirectory[] = [];
  #names: string[] = [];
  #pending: Step[] = [];
  #followed = 0;

  constructor(root: HeldDirectory, rootSpellings: readonly string[], options: WalkInsideOptions) {
    this.#root = root;
    this.#rootSpellings = rootSpellings;
    this.#options = options;
  }

  to(path: string): Place {
    this.#pending = steps(path, false);
    for (let step = this.#pending.shift(); step !== undefined; step = this.#pending.shift()) {
      const end = step.name === ".." ? this.#stepUp() : this.#stepDown(step);
      if (end !== undefined) return end;
    }
    return this.#place([], undefined, false);
  }

  release(): void {
    for (const directory of this.#held) directory.close();
    this.#held = [];
  }

  get #directory(): HeldDirectory {
    return this.#held.at(-1) ?? this.#root;
  }

  /** Handles `..`, which only a link's target can contain. */
  #stepUp(): undefined {
    const left = this.#held.pop();
    if (left === undefined) throw this.#leadsOut();
    left.close();
    this.#names.pop();
  }

  #stepDown(step: Step): Place | undefined {
    const isLast = this.#pending.length === 0;
    // All names but the last should be directories, so only the last needs a stat first.
    const stats = isLast ? this.#directory.lstat(step.name) : undefined;
    if (isLast && stats === undefined) return this.#missing(step);
    if (isLast && stats?.isSymbolicLink() && this.#options.follow === "entry")
      return this.#place([step.name], stats, false);
    if (isLast && stats?.isSymbolicLink() === false && !stats.isDirectory())
      return this.#place([step.name], stats, false);
    try {
      this.#held.push(this.#directory.openDirectory(step.name));
      this.#names.push(step.name);
      return undefined;
    } catch (thrown) {
      return this.#stepAside(step, thrown);
    }
  }

  /** Handles a segment that cannot be entered: missing, a link, or not a directory. */
  #stepAside(step: Step, thrown: unknown): Place | undefined {
    const errno = errnoOf(thrown);
    if (errno === "ENOENT") return this.#missing(step);
    if (errno !== "ENOTDIR" && errno !== "ELOOP") throw thrown;
    const target = this.#readLink(step.name);
    if (target === undefined) throw this.#inTheWay(step, thrown);
    if (this.#options.links === "refuse")
      throw new ToolError("STALE_FILE", `${showPath(this.#options.given)} was replaced by a link`, {
        details: { path: this.#options.given },
      });
    this.#followed += 1;
    if (this.#followed > MAX_LINKS) throw tooManyLinks(this.#options.given);
    if (process.platform === "win32" && windowsPathProblem(target) !== undefined) throw this.#leadsOut();
    if (target.startsWith("/")) this.#pending.unshift(...this.#backToRoot(target));
    else this.#pending.unshift(...steps(target, true));
    return undefined;
  }

  #backToRoot(target: string): Step[] {
    try {
      const inside = parsePath(target, this.#rootSpellings);
      this.release();
      this.#names = [];
      return steps(inside, true);
    } catch (cause) {
      throw this.#leadsOut(cause);
    }
  }

  #readLink(name: string): string | undefined {
    try {
      const target = readlinkSync(this.#directory.at(name));
      return process.platform === "win32" ? target.replaceAll("\\", "/") : target;
    } catch (thrown) {
      if (errnoOf(thrown) === "EINVAL") return undefined;
      throw thrown;
    }
  }

  #missing(step: Step): Place {
    const rest = [step, ...this.#pending].map(({ name }) => name);
    if (rest.includes("..")) throw this.#leadsOut();
    return this.#place(rest, undefined, step.isFromLink);
  }

  #place(rest: readonly string[], stats: BigIntStats | undefined, isDangling: boolean): Place {
    const directory = this.#directory;
    const isRoot = this.#held.pop() === undefined;
    this.release();
    return {
      path: [...this.#names, ...rest].join("/"),
      directory,
      rest,
      stats,
      isDangling,
      close: () => (isRoot ? undefined : directory.close()),
    };
  }

  #leadsOut(cause?: unknown): ToolError {
    return invalidPath(this.#options.given, "leads out of the workspace", { cause });
  }

  #inTheWay(step: Step, cause: unknown): ToolError {
    const path = showPath([...this.#names, step.name].join("/"));
    return new ToolError("NOT_A_DIRECTORY", `${path} is not a directory`, { cause });
  }
}

interface Step {
  readonly name: string;
  readonly isFromLink: boolean;
}

const MAX_LINKS = 40;

function steps(path: string, isFromLink: boolean): Step[] {
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  return names.map((name) => ({ name, isFromLink }));
}
