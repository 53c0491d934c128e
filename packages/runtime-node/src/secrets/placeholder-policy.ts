import type { SyncPolicy } from "@haft/core/policy";
import type { FileChange } from "@haft/core/workspace";
import { changedBytes } from "./changed-bytes.js";
import { placeholderOf } from "./redactor.js";
import type { SecretValue } from "./secret-values.js";

/**
 * Denies writing a placeholder into a file: a model that was shown `[secret:NAME]` and writes the file back would
 * replace the secret with those characters.
 */
export function placeholderPolicy(secrets: readonly SecretValue[]): SyncPolicy {
  const texts = [...new Set(secrets.map(({ name }) => placeholderOf(name)))];
  const placeholders = texts.map((text) => ({ text, spellings: spellingsOf(text) }));
  const longest = Math.max(
    0,
    ...placeholders.flatMap(({ spellings }) => spellings.map(({ length }) => length)),
  );
  return ({ changes }) => {
    for (const change of placeholders.length === 0 ? [] : changes) {
      const changed = changedIn(change, longest);
      if (changed === undefined || !MARKS.some((mark) => changed.after.includes(mark))) continue;
      const isAdded = (wanted: Buffer) => count(changed.after, wanted) > count(changed.before, wanted);
      const written = placeholders.find(({ spellings }) => spellings.some(isAdded));
      if (written !== undefined) return denial(written.text, change.path);
    }
    return undefined;
  };
}

function denial(placeholder: string, path: string): ReturnType<SyncPolicy> {
  const because = `${placeholder} replaced a secret in what you were shown, and would be written to ${path} literally; leave that part of the file unchanged`;
  return { effect: "deny", code: "SECRET_PLACEHOLDER", because };
}

/** Returns the changed bytes: a file that already contained a placeholder may keep it. */
function changedIn(change: FileChange, span: number): ReturnType<typeof changedBytes> | undefined {
  if (change.kind !== "create" && change.kind !== "modify") return undefined;
  if (change.after.type !== "file") return undefined;
  return changedBytes(change.kind === "modify" ? change.before.bytes : undefined, change.after, span);
}

function spellingsOf(text: string): readonly Buffer[] {
  return [Buffer.from(text, "utf8"), Buffer.from(text, "utf16le")];
}

/** The start of every placeholder; almost no file contains it. */
const MARKS = spellingsOf(placeholderOf("").slice(0, -1));

function count(bytes: Buffer, wanted: Buffer): number {
  let found = 0;
  for (let at = bytes.indexOf(wanted); at !== -1; at = bytes.indexOf(wanted, at + wanted.length)) found += 1;
  return found;
}
