import type { Word, WordPart } from "unbash";
import type { GlobPiece, PlannedWord } from "./command-plan.js";
import { literalDocument } from "./literal-document.js";

type WordReading = { readonly word: PlannedWord } | { readonly unsupported: string };

/** Returns the argument that a word evaluates to, or why its value is unknown before it runs. */
export function readWord(word: Word): WordReading {
  if (hasTildePrefix(word)) return { unsupported: "a tilde that stands for a home directory" };
  const pieces: GlobPiece[] = [];
  for (const part of word.parts ?? [plainPart(word)]) {
    const unsupported = addPart(part, pieces);
    if (unsupported !== undefined) return { unsupported };
  }
  const value = pieces.map(pieceText).join("");
  const isGlob = pieces.some((piece) => piece.kind !== "text");
  if (isGlob && value.includes("//")) return { unsupported: "a glob with doubled slashes" };
  return { word: isGlob ? { kind: "glob", value, pieces: joinText(pieces) } : { kind: "literal", value } };
}

// Bash expands a tilde at the start of a word and, in words that look like assignments, after = and :.
function hasTildePrefix(word: Word): boolean {
  const first = word.parts?.[0]?.text ?? word.text;
  if (first.startsWith("~")) return true;
  return /^[A-Za-z_]\w*\+?=(?:.*:)?~/s.test(word.text) || /^[A-Za-z_]\w*\+?=.*[:=]~/s.test(word.text);
}

function plainPart(word: Word): WordPart {
  return { type: "Literal", pos: word.pos, end: word.end, value: word.value, text: word.text };
}

function addPart(part: WordPart, pieces: GlobPiece[]): string | undefined {
  switch (part.type) {
    case "Literal":
      return addLiteral(part, pieces);
    case "SingleQuoted":
      pieces.push({ kind: "text", text: part.value });
      return undefined;
    case "AnsiCQuoted":
      return addAnsiQuoted(part, pieces);
    case "DoubleQuoted":
      return addQuoted(part.parts, pieces);
    case "Glob":
      return addGlob(part, pieces);
    default:
      return unsupportedParts[part.type];
  }
}

// If bash would start an expansion and then fail, the parser may see plain text.
function addLiteral(part: Extract<WordPart, { type: "Literal" }>, pieces: GlobPiece[]): string | undefined {
  if (/(?<!\\)(?:\\\\)*(?:\$(?:[[({\w@*#?$!-]|\\\n)|`)/.test(part.text)) return "an incomplete expansion";
  pieces.push({ kind: "text", text: part.value });
  return undefined;
}

// Escaped bytes above 0x7f need not form the text that the parser shows, and parsers disagree about an escaped
// newline.
function addAnsiQuoted(
  part: Extract<WordPart, { type: "AnsiCQuoted" }>,
  pieces: GlobPiece[],
): string | undefined {
  if (!/^[\t\n\x20-\x7e]*$/.test(part.value) || part.text.includes("\\\n")) {
    return "a $'…' word with control or non-ASCII characters or an escaped newline";
  }
  pieces.push({ kind: "text", text: part.value });
  return undefined;
}

function addQuoted(parts: readonly WordPart[], pieces: GlobPiece[]): string | undefined {
  // Empty quotes still form an argument.
  pieces.push({ kind: "text", text: "" });
  for (const part of parts) {
    const text = part.type === "CommandExpansion" ? literalDocument(part.text) : undefined;
    if (text !== undefined) pieces.push({ kind: "text", text });
    const unsupported = text === undefined ? addPart(part, pieces) : undefined;
    if (unsupported !== undefined) return unsupported;
  }
  return undefined;
}

function addGlob(part: Extract<WordPart, { type: "Glob" }>, pieces: GlobPiece[]): string | undefined {
  if (part.kind !== "bracket") {
    // Adjacent characters form one part: ** is two stars.
    const { kind } = part;
    pieces.push(...[...part.text].map(() => ({ kind })));
    return undefined;
  }
  if (/["'\\$`/]/.test(part.text)) return "a bracket glob with quotes or escapes";
  pieces.push({ kind: "bracket", text: part.text });
  return undefined;
}

function pieceText(piece: GlobPiece): string {
  if (piece.kind === "star") return "*";
  return piece.kind === "question" ? "?" : piece.text;
}

function joinText(pieces: readonly GlobPiece[]): GlobPiece[] {
  const joined: GlobPiece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (piece.kind === "text" && last?.kind === "text") {
      joined[joined.length - 1] = { kind: "text", text: last.text + piece.text };
    } else {
      joined.push(piece);
    }
  }
  return joined;
}

const unsupportedParts = {
  LocaleString: 'a translated string ($"…")',
  SimpleExpansion: "a variable",
  ParameterExpansion: "a variable",
  CommandExpansion: "command substitution",
  ArithmeticExpansion: "arithmetic expansion",
  ProcessSubstitution: "process substitution",
  ExtendedGlob: "an extended glob",
  BraceExpansion: "brace expansion",
} as const;
