import { expandBraces } from "../glob/expand-braces.js";
import { globMatcher, type PathMatcher } from "../glob/glob-matcher.js";
import type { WalkOptions } from "./walk-options.js";

/** Says which files and folders a search wants, beyond what ignore files say. */
export interface PathFilter {
  wantsFile(path: string, name: string): boolean;
  wantsFolder(path: string): boolean;
  /** A glob asks for this path by name, which outranks ignore files and hidden names, as in ripgrep. */
  asksFor(path: string): boolean;
}

/** Throws PatternError for a glob that cannot be read. */
export function pathFilter({ globs, exclude, extensions }: WalkOptions): PathFilter {
  const wanted = globs.filter((glob) => !glob.startsWith("!")).map(gitStyle);
  const unwanted = [
    ...globs.filter((glob) => glob.startsWith("!")).map((glob) => glob.slice(1)),
    ...exclude,
  ].map(gitStyle);
  const endings = extensions.map((extension) => `.${extension.replace(/^\./, "")}`);
  return {
    wantsFile: (path, name) =>
      (endings.length === 0 || endings.some((ending) => name.endsWith(ending))) &&
      (wanted.length === 0 || wanted.some((matches) => matches(path))) &&
      !unwanted.some((matches) => matches(path)),
    wantsFolder: (path) => !unwanted.some((matches) => matches(path)),
    asksFor: (path) => wanted.some((matches) => matches(path)) && !unwanted.some((matches) => matches(path)),
  };
}

// A glob without a slash is about names at any depth; a trailing slash is about a folder and all that is in it.
function gitStyle(glob: string): PathMatcher {
  const patterns = expandBraces(glob).map((pattern) => {
    const plain = pattern.endsWith("/") ? `${pattern}**` : pattern;
    if (plain.startsWith("/")) return plain.slice(1);
    return plain.replace(/\/\*\*$/, "").includes("/") ? plain : `**/${plain}`;
  });
  const matchers = patterns.map((pattern) => globMatcher(pattern, { dot: true }));
  return (path) => matchers.some((matches) => matches(path));
}
