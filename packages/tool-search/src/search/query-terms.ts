/** One word of a query. */
export interface QueryTerm {
  /** In lower case, as written. */
  readonly word: string;
  /** The common prefix of its other forms: `loading`, `loader` and `loads` → `load`. */
  readonly stem: string;
}

const MAX_TERMS = 8;

/** Returns the significant words of a query. A query without any is used as a whole. */
export function queryTerms(query: string): readonly QueryTerm[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}_$]+/gu) ?? [];
  const unique = [...new Set(words)];
  const telling = unique.filter((word) => word.length > 1 && !FILLERS.has(word));
  const chosen = telling.length > 0 ? telling : unique;
  // Symbols are searched as written, each line separately, since no line of a file contains two.
  const terms =
    chosen.length > 0
      ? chosen.map((word) => ({ word, stem: stemOf(word) }))
      : linesOf(query).map((signs) => ({ word: signs, stem: signs }));
  return [...new Map(terms.map((term) => [term.stem, term])).values()].slice(0, MAX_TERMS);
}

function linesOf(text: string): readonly string[] {
  return text
    .trim()
    .split(/\s*[\r\n]\s*/)
    .filter((line) => line !== "");
}

/** Words of a question, not of an answer. */
const FILLERS: ReadonlySet<string> = new Set(
  "a an and are as at be by can do does for from get has have how i in is it its of on or our that the their there these this to use used uses was we what when where which who why will with".split(
    " ",
  ),
);

const MIN_STEM = 4;
const ENDINGS = [
  "izations",
  "ization",
  "ations",
  "ation",
  "ings",
  "ing",
  "ions",
  "ion",
  "ers",
  "ors",
  "ies",
  "ed",
  "er",
  "or",
  "es",
  "y",
  "s",
];

/** Only plain words have other forms; `readfile` stays whole because it has no ending. */
function stemOf(word: string): string {
  if (!/^[a-z]+$/.test(word)) return word;
  const ending = ENDINGS.find((each) => word.endsWith(each) && word.length - each.length >= MIN_STEM);
  const stem = ending === undefined ? word : word.slice(0, -ending.length);
  // `mapping` → `map`, but not `calling` → `cal`, which is no shorter than its root.
  const isDoubled = /([bdgmnprt])\1$/.test(stem) && ending !== undefined && stem.length > MIN_STEM;
  return isDoubled ? stem.slice(0, -1) : stem;
}
