import { expandBraces, globMatcher, IgnoreFile } from "@haft/text/path-rules";
import type { WalkOptions } from "./walk-options.js";

/** What the caller, as opposed to ignore files, says about a path. */
export type FilterVerdict = "asked" | "excluded" | undefined;

/**
 * The caller's globs, read as lines of an ignore file with the opposite meaning: a glob asks for what it matches, a
 * glob behind `!` excludes it, and the last one that matches decides. Throws PatternError for one that cannot be read.
 */
export class PathFilter {
  private readonly rules: IgnoreFile | undefined;
  private readonly asksForFiles: boolean;
  private readonly endings: readonly string[];

  constructor({ globs, exclude, extensions }: WalkOptions) {
    const lines = [...globs, ...exclude.map((glob) => `!${glob}`)];
    this.rules = lines.length === 0 ? undefined : new IgnoreFile(lines.flatMap(expandLine).join("\n"));
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

function expandLine(line: string): string[] {
  const negated = line.startsWith("!");
  const glob = (negated ? line.slice(1) : line).replace(/^\.\//, "/");
  globMatcher(glob.length > 1 && glob.endsWith("/") ? glob.slice(0, -1) : glob); // for its complaints
  return expandBraces(glob).map(
    (plain) => `${negated ? "!" : ""}${plain.startsWith("#") ? "\\" : ""}${plain}`,
  );
}
