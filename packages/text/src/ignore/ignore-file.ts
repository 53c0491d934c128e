import { type IgnoreRule, parseIgnoreLine } from "./parse-ignore-line.js";

/** The verdict of an ignore file on an entry: none, ignore, or keep. */
export type IgnoreVerdict = "ignore" | "keep" | undefined;

/** Maximum size read of an ignore file; hand-written ones are smaller. */
export const MAX_IGNORE_FILE_BYTES = 1024 * 1024;

/**
 * Maximum number of rules per file. Rules that must be tried on every entry cost more than rules that are looked up.
 */
interface IgnoreLimits {
  readonly rules: number;
  readonly wildcards: number;
}

const DEFAULT_LIMITS: IgnoreLimits = { rules: 20_000, wildcards: 1_000 };

/**
 * The rules of one `.gitignore` or `.ignore` with git's semantics: the last matching rule decides. Names, paths and
 * extensions, which most rules are, use a lookup instead of a match.
 */
export class IgnoreFile {
  /** Number of lines skipped for being too long or too many. */
  passedOver = 0;
  private readonly rules: IgnoreRule[] = [];
  private readonly names = new PlainRules();
  private readonly paths = new PlainRules();
  private readonly extensions = new Map<string, number>();
  /** Indexes of the rules that need matching, last first. */
  private readonly others: number[] = [];

  constructor(
    text: string,
    private readonly limits: IgnoreLimits = DEFAULT_LIMITS,
  ) {
    // Git skips a byte order mark, which some editors write.
    for (let at = text.startsWith("\ufeff") ? 1 : 0; at < text.length; ) {
      const newline = text.indexOf("\n", at);
      const stop = newline < 0 ? text.length : newline;
      // Git drops a carriage return at the end of the last line too.
      this.addLine(text.slice(at, stop > at && text[stop - 1] === "\r" ? stop - 1 : stop));
      at = stop + 1;
    }
    this.others.reverse();
  }

  /** `path` is relative to the folder of the file; `name` is its last segment. */
  match(path: string, name: string, isFolder: boolean): IgnoreVerdict {
    let best = Math.max(this.names.lastFor(name, isFolder), this.paths.lastFor(path, isFolder));
    if (this.extensions.size > 0) {
      for (let dot = name.indexOf("."); dot >= 0; dot = name.indexOf(".", dot + 1)) {
        best = Math.max(best, this.extensions.get(name.slice(dot)) ?? -1);
      }
    }
    // Runs for every entry of a tree, where an iterator would cost more than the loop body.
    for (let at = 0; at < this.others.length; at++) {
      const index = this.others[at] as number;
      if (index < best) break;
      const rule = this.rules[index] as IgnoreRule;
      if (rule.folderOnly && !isFolder) continue;
      if (rule.matches?.(rule.byName ? name : path)) best = index;
    }
    if (best < 0) return undefined;
    return (this.rules[best] as IgnoreRule).negated ? "keep" : "ignore";
  }

  private isFull({ matches }: IgnoreRule): boolean {
    const { rules, wildcards } = this.limits;
    return this.rules.length >= rules || (matches !== undefined && this.others.length >= wildcards);
  }

  private addLine(line: string): void {
    const rule = parseIgnoreLine(line);
    if (rule === undefined) return;
    if (rule === "passed over" || this.isFull(rule)) {
      this.passedOver++;
      return;
    }
    const index = this.rules.push(rule) - 1;
    if (rule.plain !== undefined)
      (rule.byName ? this.names : this.paths).add(rule.plain, index, rule.folderOnly);
    else if (rule.extension !== undefined) this.extensions.set(rule.extension, index);
    else this.others.push(index);
  }
}

/** Rules for a single name or path, with their indexes. */
class PlainRules {
  private readonly any = new Map<string, number>();
  private readonly folders = new Map<string, number>();

  add(text: string, index: number, folderOnly: boolean): void {
    (folderOnly ? this.folders : this.any).set(text, index);
  }

  /** -1 if there is none. */
  lastFor(text: string, isFolder: boolean): number {
    const last = this.any.size === 0 ? -1 : (this.any.get(text) ?? -1);
    return isFolder && this.folders.size > 0 ? Math.max(last, this.folders.get(text) ?? -1) : last;
  }
}
