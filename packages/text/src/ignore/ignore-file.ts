import { type PathMatcher, pathMatcher } from "../glob/glob-matcher.js";
import { segmentMatcher } from "../glob/segment-matcher.js";

/** What an ignore file says about an entry: nothing, to leave it out, or to keep it. */
export type IgnoreVerdict = "ignore" | "keep" | undefined;

/** How much of an ignore file is read; more than that nobody wrote by hand. */
export const MAX_IGNORE_FILE_BYTES = 1024 * 1024;

/**
 * The rules of one `.gitignore` or `.ignore`, as git reads them: the last rule that matches decides. Names, paths and
 * extensions, which most rules are, are looked up instead of tried.
 */
export class IgnoreFile {
  private readonly rules: Rule[] = [];
  private readonly names = new PlainRules();
  private readonly paths = new PlainRules();
  private readonly extensions = new Map<string, number>();
  /** Indexes of the rules that have to be tried, last first. */
  private readonly others: number[] = [];

  constructor(text: string) {
    for (const line of withoutMark(text).split(/\r?\n/)) this.addLine(line);
    this.others.reverse();
  }

  /** `path` is relative to the folder of the file, `name` its last segment. */
  match(path: string, name: string, isFolder: boolean): IgnoreVerdict {
    let best = Math.max(this.names.lastFor(name, isFolder), this.paths.lastFor(path, isFolder));
    if (this.extensions.size > 0) {
      for (let dot = name.indexOf("."); dot >= 0; dot = name.indexOf(".", dot + 1)) {
        best = Math.max(best, this.extensions.get(name.slice(dot)) ?? -1);
      }
    }
    // Asked about every entry of a tree: an iterator would cost more than what it walks over.
    for (let at = 0; at < this.others.length; at++) {
      const index = this.others[at] as number;
      if (index < best) break;
      const rule = this.rules[index] as Rule;
      if (rule.folderOnly && !isFolder) continue;
      if (rule.matches?.(rule.byName ? name : path)) best = index;
    }
    if (best < 0) return undefined;
    return (this.rules[best] as Rule).negated ? "keep" : "ignore";
  }

  private addLine(line: string): void {
    const rule = parseRule(line);
    if (!rule) return;
    const index = this.rules.push(rule) - 1;
    if (rule.plain !== undefined)
      (rule.byName ? this.names : this.paths).add(rule.plain, index, rule.folderOnly);
    else if (rule.extension !== undefined) this.extensions.set(rule.extension, index);
    else this.others.push(index);
  }
}

/** Rules that mean one name, or one path, each with its index. */
class PlainRules {
  private readonly any = new Map<string, number>();
  private readonly folders = new Map<string, number>();

  add(text: string, index: number, folderOnly: boolean): void {
    (folderOnly ? this.folders : this.any).set(text, index);
  }

  /** -1 for none. */
  lastFor(text: string, isFolder: boolean): number {
    const last = this.any.size === 0 ? -1 : (this.any.get(text) ?? -1);
    return isFolder && this.folders.size > 0 ? Math.max(last, this.folders.get(text) ?? -1) : last;
  }
}

/** Git passes over a byte order mark, which some editors write. */
function withoutMark(text: string): string {
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

interface Rule {
  readonly negated: boolean;
  readonly folderOnly: boolean;
  /** Without a slash in it, a rule is about the name at any depth. */
  readonly byName: boolean;
  /** The one name, or path, that it means. */
  readonly plain: string | undefined;
  readonly extension: string | undefined;
  /** Undefined for what is looked up. */
  readonly matches: PathMatcher | undefined;
}

function parseRule(line: string): Rule | undefined {
  let text = line.replace(/(?<!\\) +$/, "");
  if (text === "" || text.startsWith("#")) return undefined;
  const negated = text.startsWith("!");
  if (negated) text = text.slice(1);
  const folderOnly = text.endsWith("/");
  if (folderOnly) text = text.slice(0, -1);
  const byName = !text.includes("/");
  if (text.startsWith("/")) text = text.slice(1);
  if (text === "") return undefined;
  const isPlain = !/[*?[\\]/.test(text);
  const isExtension = byName && !folderOnly && /^\*\.[^*?[\\]+$/.test(text);
  return {
    negated,
    folderOnly,
    byName,
    plain: isPlain ? text : undefined,
    extension: isExtension ? text.slice(1) : undefined,
    matches:
      isPlain || isExtension
        ? undefined
        : onBytes(text, (bytes) => (byName ? segmentMatcher(bytes) : pathMatcher(bytes, { dot: true }))),
  };
}

// Git compares bytes: a `?` is half of an `é`. Names in ASCII, nearly all, need no conversion.
function onBytes(pattern: string, compile: (bytes: string) => PathMatcher): PathMatcher {
  const matches = compile(toByteString(pattern));
  return (path) => matches(toByteString(path));
}

function toByteString(text: string): string {
  return BEYOND_ASCII.test(text) ? String.fromCharCode(...new TextEncoder().encode(text)) : text;
}

const BEYOND_ASCII = /[\u0080-\uffff]/;
