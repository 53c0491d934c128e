import type { GlobPiece } from "./command-plan.js";

/** Returns whether a file name matches one path segment of a glob, as in bash: a leading dot must be written. */
export function matchGlob(pieces: readonly GlobPiece[], name: string): boolean {
  const first = pieces[0];
  if (name.startsWith(".") && !(first?.kind === "text" && first.text.startsWith("."))) return false;
  return matchTokens(pieces.flatMap(tokensOf), [...name]);
}

type Token =
  | { readonly many: true }
  | { readonly many: false; readonly accepts: (character: string) => boolean };

function tokensOf(piece: GlobPiece): Token[] {
  if (piece.kind === "star") return [{ many: true }];
  if (piece.kind === "question") return [{ many: false, accepts: () => true }];
  if (piece.kind === "bracket") return [{ many: false, accepts: bracketTest(piece.text) }];
  return [...piece.text].map((expected) => ({ many: false, accepts: (character) => character === expected }));
}

// Greedy with one backtracking point: linear in practice, at worst name × pattern.
function matchTokens(tokens: readonly Token[], characters: readonly string[]): boolean {
  let token = 0;
  let star = -1;
  let resume = 0;
  for (let at = 0; at < characters.length; ) {
    const current = tokens[token];
    if (current !== undefined && !current.many && current.accepts(characters[at] ?? "")) {
      token += 1;
      at += 1;
    } else if (current?.many) {
      star = token;
      resume = at;
      token += 1;
    } else if (star >= 0) {
      token = star + 1;
      resume += 1;
      at = resume;
    } else {
      return false;
    }
  }
  return tokens.slice(token).every((rest) => rest.many);
}

function bracketTest(text: string): (character: string) => boolean {
  const negated = /^\[[!^]/.test(text);
  const body = text.slice(negated ? 2 : 1, -1);
  const tests = bracketItems(body);
  return (character) => tests.some((test) => test(character)) !== negated;
}

function bracketItems(body: string): ((character: string) => boolean)[] {
  const tests: ((character: string) => boolean)[] = [];
  const item = /\[:(\w+):\]|([\s\S])-([\s\S])|([\s\S])/gu;
  for (const [, name, from, to, single] of body.matchAll(item)) {
    const pattern = name === undefined ? undefined : characterClasses[name];
    if (name !== undefined) tests.push((character) => pattern?.test(character) ?? false);
    else if (from !== undefined && to !== undefined)
      tests.push((character) => from <= character && character <= to);
    else tests.push((character) => character === single);
  }
  return tests;
}

const characterClasses: Readonly<Record<string, RegExp>> = {
  alpha: /[A-Za-z]/,
  digit: /[0-9]/,
  alnum: /[A-Za-z0-9]/,
  upper: /[A-Z]/,
  lower: /[a-z]/,
  space: /\s/,
  blank: /[ \t]/,
  punct: /[!-/:-@[-`{-~]/,
  xdigit: /[0-9A-Fa-f]/,
};
