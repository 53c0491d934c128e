import { renderJson, splitHidden } from "./render-for-human.js";

/**
 * Splits one plain command into its words, quotes removed. Returns undefined for a line that is not one plain command:
 * a shell would expand it, redirect it, or run several commands.
 */
export function plainWords(line: string): readonly string[] | undefined {
  const words: string[] = [];
  for (const [, word = ""] of line.matchAll(WORD)) {
    if (isExpanded(word)) return undefined;
    words.push(word.replace(QUOTED, unquoted));
  }
  return words.length > 0 && /^[ \t]*$/.test(line.replace(WORD, "")) ? words : undefined;
}

const WORD = /(?<!\S)((?:'[^']*'|"(?:[^"\\$`]|\\[^\n])*"|\\[^\n]|[^\s'"\\;|&<>()`$#]|(?<=\S)#)+)(?!\S)/g;
const QUOTED = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/g;

function unquoted(_: string, single?: string, double?: string, escaped?: string): string {
  return single ?? double?.replace(/\\(["\\$`])/g, "$1") ?? escaped ?? "";
}

/** Returns whether a shell would replace a word by others: patterns, alternatives, home folders. */
function isExpanded(word: string): boolean {
  const bare = word.replace(QUOTED, "");
  return /[*?]|^~|\{[^}]*(?:,|\.\.)/.test(bare);
}

interface WordsOptions {
  /** Whether the words come from a command line, where only a quoted pattern is a word. Default: false. */
  readonly areQuoted?: boolean;
}

/** Says why no command starts with these words, as a clause; undefined if one can. */
export function problemWithWords(
  words: readonly string[],
  { areQuoted = false }: WordsOptions = {},
): string | undefined {
  const [program = ""] = words;
  if (program === "" || program.startsWith("-"))
    return `${JSON.stringify(program)} is not a program; start with the name of a program`;
  if (/^[A-Za-z_]\w*\+?=/.test(program))
    return `${JSON.stringify(program)} sets a variable, which is not part of the command; start with the program`;
  // After an option it is a value, such as the separator in: cut -d "|".
  const isWord = (_: string, index: number) => index === 0 || words[index - 1]?.startsWith("-") !== true;
  const plain = words.filter(isWord);
  const operator = plain.find((word) => OPERATOR.test(word));
  if (operator !== undefined)
    return `${JSON.stringify(operator)} joins or redirects commands; write the words of one command`;
  const pattern = plain.find(
    (word) => word.endsWith("*") || word === "?" || (!areQuoted && NAMES_FILES.test(word)),
  );
  if (pattern !== undefined)
    return `${JSON.stringify(pattern)} is compared as it is, because words have no wildcards; leave it out to match every command that starts with the words before it (a call whose command has this very word is matched by when.argument)`;
  const hiding = words.find((word) => splitHidden(word).some(({ isHidden }) => isHidden));
  if (hiding !== undefined) return `${renderJson(hiding)} has an invisible character; remove it`;
  return undefined;
}

/** `*.js` and `src/*.ts`, but not `a.*b`. */
const NAMES_FILES = /^\*|\/\*|\*\//;

const OPERATOR = /^(?:\|\|?|\|&|&&?|;;?|\d*(?:<<?<?|>>?)&?\d*)$/;
