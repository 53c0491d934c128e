import type { ApprovalPolicy, FileChange } from "@haft/core";
import { placeholderOf } from "./redactor.js";
import type { SecretValue } from "./secret-values.js";

/**
 * Denies what would write a placeholder into a file: whoever was shown `[secret:NAME]` and writes the
 * file back would replace the secret by those very characters.
 */
export function placeholderPolicy(secrets: readonly SecretValue[]): ApprovalPolicy {
  const placeholders = [...new Set(secrets.map(({ name }) => placeholderOf(name)))];
  return ({ changes }) => {
    for (const change of changes) {
      const written = placeholders.find((placeholder) => addsText(change, placeholder));
      if (written !== undefined) return denial(written, change.path);
    }
    return undefined;
  };
}

function denial(placeholder: string, path: string): ReturnType<ApprovalPolicy> {
  const because = `${placeholder} stands for a secret in what you were shown, and would be written to ${path} as it is; leave that part of the file alone`;
  return { effect: "deny", code: "SECRET_PLACEHOLDER", because };
}

/** A file that has always held those characters may keep them. */
function addsText(change: FileChange, text: string): boolean {
  if (change.kind !== "create" && change.kind !== "modify") return false;
  const { after } = change;
  if (after.type !== "file") return false;
  const before = change.kind === "modify" ? change.before.bytes : undefined;
  return ENCODINGS.some((encoding) => {
    const wanted = Buffer.from(text, encoding);
    return count(after.bytes, wanted) > count(before, wanted);
  });
}

const ENCODINGS = ["utf8", "utf16le"] as const;

function count(held: Uint8Array | undefined, wanted: Buffer): number {
  if (held === undefined) return 0;
  const bytes = Buffer.from(held.buffer, held.byteOffset, held.byteLength);
  let found = 0;
  for (let at = bytes.indexOf(wanted); at !== -1; at = bytes.indexOf(wanted, at + wanted.length)) found += 1;
  return found;
}
