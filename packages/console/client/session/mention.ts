/** A file or tool that the user is picking while typing. */
export interface Mention {
  readonly kind: "file" | "tool";
  /** The offset of its sign in the text. */
  readonly from: number;
  readonly words: string;
}

/** Finds the mention before the caret: `@` starts a file at a word's start, `/` a tool at the text's start. */
export function mentionAt(text: string, caret: number): Mention | undefined {
  const before = text.slice(0, caret);
  const tool = /^\/([\w-]*)$/.exec(before)?.[1];
  if (tool !== undefined) return { kind: "tool", from: 0, words: tool };
  const file = /(?:^|\s)@([^\s@`]*)$/.exec(before)?.[1];
  return file === undefined ? undefined : { kind: "file", from: caret - file.length - 1, words: file };
}
