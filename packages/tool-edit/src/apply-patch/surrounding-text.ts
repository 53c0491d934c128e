import { invalidPatch } from "./invalid-patch.js";
import { HUNK_HEADER } from "./read-hunk.js";

/** Accounts for the lines of a unified diff outside its files. Throws for lines that no tool writes. */
export class SurroundingText {
  readonly #lines: readonly string[];
  #place: "start" | "log" | "mail" | "signature" | "after a file" = "start";
  #isMail = false;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  fileEnded(): void {
    this.#place = "after a file";
  }

  take(at: number): void {
    const line = (this.#lines[at] ?? "").replace(/\r$/, "");
    if (/^@@+ -/.test(line)) throw strayHunk(line, at + 1);
    if (/^diff --(?:cc|combined) /.test(line)) throw mergeDiff(at + 1);
    if (BINARY.test(line))
      throw invalidPatch("it changes a binary file, which apply_patch cannot do", at + 1);
    if (line.startsWith("Property changes on: "))
      throw invalidPatch("it changes properties of Subversion; send the patch without that section", at + 1);
    if (MESSAGE_START.test(line)) this.#startMessage(line);
    else if (line.trim() !== "" && !TOOL_LINE.test(line)) this.#takeProse(line, at);
  }

  #startMessage(line: string): void {
    this.#place = line.startsWith("commit ") ? "log" : "mail";
    this.#isMail ||= this.#place === "mail";
  }

  #takeProse(line: string, at: number): void {
    switch (this.#place) {
      case "mail":
        return;
      case "log":
        // `git log` and `git show` indent the message.
        if (!LOG_LINE.test(line) && !DIFFSTAT.test(line)) throw this.#stray(line, at);
        return;
      case "start":
        if (/^[-+\\]/.test(line) && !DIFFSTAT.test(line)) throw this.#stray(line, at);
        return;
      case "signature":
        if (!this.#isMail && !this.#isVersion(line, at)) throw this.#stray(line, at);
        return;
      case "after a file":
        if (!this.#isSignature(line, at)) throw this.#stray(line, at);
        this.#place = "signature";
    }
  }

  /** `-- ` could also be a removed line that the hunk header does not count; the version after it decides. */
  #isSignature(line: string, at: number): boolean {
    if (this.#isVersion(line, at)) return true;
    return /^-- ?$/.test(line) && (this.#isMail || VERSION.test(this.#lines[at + 1] ?? ""));
  }

  /** The second line of a signature, such as `2.39.0`. */
  #isVersion(line: string, at: number): boolean {
    return VERSION.test(line) && /^-- ?\r?$/.test(this.#lines[at - 1] ?? "");
  }

  #stray(line: string, at: number): Error {
    const next = this.#lines[at + 1] ?? "";
    if (line.startsWith("--- ") && next.startsWith("+++ "))
      return invalidPatch("no hunk header (@@ -1,3 +1,4 @@) follows the --- and +++ lines", at + 3);
    if (line.startsWith("--- ")) return invalidPatch("the +++ line is missing after the --- line", at + 2);
    if (line.startsWith("+++ ")) return invalidPatch("the --- line is missing before the +++ line", at + 1);
    const quoted = JSON.stringify(line.slice(0, 80));
    if (this.#place === "after a file" && /^[-+ \\]/.test(line))
      return invalidPatch(`${quoted} is beyond the lines that the hunk header counts`, at + 1);
    return invalidPatch(`${quoted} belongs to no file header and no hunk`, at + 1);
  }
}

function mergeDiff(number: number): Error {
  return invalidPatch("it is the combined diff of a merge; send a diff between two versions", number);
}

function strayHunk(line: string, number: number): Error {
  if (line.startsWith("@@@")) return mergeDiff(number);
  if (!HUNK_HEADER.test(line)) return invalidPatch("a hunk header looks like @@ -1,3 +1,4 @@", number);
  return invalidPatch(
    "a hunk has no file header (--- and +++ lines) directly above it or above the hunk before it",
    number,
  );
}

/** Mails, `git log`, `git show` and Mercurial start a commit message with one of these. */
const MESSAGE_START = /^(?:From [0-9a-f]{40} |From: |Subject: |commit [0-9a-f]{7,64}\b|# HG changeset patch)/;

const LOG_LINE = /^(?: {4}|[A-Z][A-Za-z-]*: |---$)/;

/** `index` and the mode of a plain file repeat what the --- and +++ lines state. */
const TOOL_LINE =
  /^(?:diff |index [0-9a-f]{4,64}\.\.[0-9a-f]{4,64}(?: 100(?:644|755))?$|(?:new|deleted) file mode 100644$|Index: |={3,}$|Only in .+: |Common subdirectories: |RCS file: |retrieving revision |base-commit: |prerequisite-patch-id: )/;

const BINARY = /^(?:Binary files|Files) .+ and .+ differ$/;

/** Lines of a diffstat, which a space or nothing precedes. */
const DIFFSTAT =
  /^ ?(?:.+ \| +(?:\d+|Bin)|\d+ files? changed|(?:create|delete) mode \d{6} |mode change \d{6} |(?:rename|copy|rewrite) )/;

const VERSION = /^\d+(?:\.\w+)+/;
