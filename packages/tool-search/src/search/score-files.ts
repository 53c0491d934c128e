import type { SearchOutcome } from "../engine/search/search-outcome.js";
import type { QueryTerm } from "./query-terms.js";
import type { TermWeights } from "./score-lines.js";
import type { NameFit } from "./score-name.js";

/** One word of a query, and the files that contain it. */
export interface TermOutcome {
  readonly term: QueryTerm;
  readonly outcome: SearchOutcome;
}

export interface ScoredFile {
  readonly path: string;
  readonly score: number;
  /** Whether its lines match, and not only its name. */
  readonly hasLines: boolean;
}

const K1 = 1.2;
const EVERY_TERM = 0.1;

/** Weighs words by BM25's rarity. A word in every file still counts a little. */
export function weighTerms(outcomes: readonly TermOutcome[]): TermWeights {
  return new Map(
    outcomes.map(({ term, outcome: { searchedFiles, totalFiles } }) => [
      term,
      Math.log(1 + (searchedFiles - totalFiles + 0.5) / (totalFiles + 0.5)) + EVERY_TERM,
    ]),
  );
}

/** Adds the scores of lines and names. A file with the whole query comes before one that repeats a part. */
export function scoreFiles(
  outcomes: readonly TermOutcome[],
  names: ReadonlyMap<string, NameFit>,
): readonly ScoredFile[] {
  const weights = weighTerms(outcomes);
  const all = sum(weights.values());
  const content = new Map<string, { score: number; terms: Set<QueryTerm> }>();
  for (const { term, outcome } of outcomes) {
    for (const { path, total } of outcome.files) {
      const file = content.get(path) ?? { score: 0, terms: new Set() };
      file.score += ((weights.get(term) ?? 0) * (total * (K1 + 1))) / (total + K1);
      file.terms.add(term);
      content.set(path, file);
    }
  }
  return [...new Set([...content.keys(), ...names.keys()])].map((path) => {
    const lines = content.get(path);
    const name = names.get(path);
    const held = sum([...weights].map(([term, weight]) => (holds(term, lines, name) ? weight : 0)));
    const coverage = all === 0 ? 1 : held / all;
    const score = (lines?.score ?? 0) + (name?.score ?? 0) * (NAME_BASE + NAME_SHARE * all);
    return {
      path,
      score: score * (0.25 + 0.75 * coverage) * kindFactor(path),
      hasLines: lines !== undefined,
    };
  });
}

const NAME_BASE = 4;
const NAME_SHARE = 2;

function holds(
  term: QueryTerm,
  lines: { terms: ReadonlySet<QueryTerm> } | undefined,
  name: NameFit | undefined,
): boolean {
  return lines?.terms.has(term) === true || name?.terms.has(term) === true;
}

/** Tests mention their subject in every line, and generated files mention everything. */
function kindFactor(path: string): number {
  if (/(^|\/)[^/]*(-lock\.\w+|\.lock|\.min\.\w+|\.map|\.snap|-lock)$/.test(path)) return 0.2;
  return /[._-](test|spec)\.\w+$|(^|\/)(__tests__|tests?)\//.test(path) ? 0.75 : 1;
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
