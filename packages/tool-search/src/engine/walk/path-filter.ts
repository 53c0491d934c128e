import { expandBraces, globMatcher, IgnoreFile } from "@haft/text/path-rules";
import type { WalkOptions } from "./walk-options.js";

/** What the caller's globs, as opposed to ignore files, say about a path. */
type FilterVerdict = "asked" | "excluded" | undefined;

/**
 * The caller's globs, parsed as lines of an ignore file with the opposite meaning: a glob requests what it matches, a
 * glob after `!` excludes it, and the last match decides. Throws PatternError for an invalid glob.
 */
export class PathFilter {
  private readonly rules: IgnoreFile | undefined;
  private readonly asksForFiles: boolean;
  private readonly endings: readonly string[];

  constructor({ globs, exclude, extensions }: WalkOptions) {
    const lines = [...globs, ...exclude.map((glob) => `!${glob}`)];
    this.rules =
      lines.length === 0 ? undefined : new IgnoreFile(lines.flatMap(expandLine).join("\n"), UNLIMITED);
    this.asksForFiles = globs.some((glob) => !glob.startsWith("!"));
    this.endings = extensions.map(
      (extension) => `.${extension.startsWith(".") ? extension.slice(1) : extension}`,
    );
  }

  verdict(path: string, name: string, isFolder: boolean): FilterVerdict {
    if (!this.rules) return undefined;
    const matched = this.rules.match(path, name, isFolder);
    if (matched === "keep") return "excluded";
    if (matched === "ignore") return "asked";
    return this.asksForFiles && !isFolder ? "excluded" : undefined;
  }

  hasWantedEnding(name: string): boolean {
    return this.endings.length === 0 || this.endings.some((ending) => name.endsWith(ending));
  }
}

/** The arguments of a call are already bounded. */
const UNLIMITED = { rules: Number.POSITIVE_INFINITY, wildcards: Number.POSITIVE_INFINITY };

function expandLine(line: string): string[] {
  const negated = line.startsWith("!");
  const glob = (negated ? line.slice(1) : line).replace(/^\.\//, "/");
  globMatcher(glob.length > 1 && glob.endsWith("/") ? glob.slice(0, -1) : glob); // throws for an invalid glob
  return expandBraces(glob).map(
    (plain) => `${negated ? "!" : ""}${plain.startsWith("#") ? "\\" : ""}${plain}`,
  );
}
