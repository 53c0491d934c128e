import type { SearchOutcome } from "../engine/search/search-outcome.js";

/** One word of a query, and what the engine found for it. */
export interface TermOutcome {
  readonly term: string;
  readonly outcome: SearchOutcome;
}

export interface BestLine {
  readonly line: number;
  readonly text: string;
  readonly score: number;
}

const K1 = 1.2;
const B = 0.5;
const TYPICAL_CHARS = 60;
const DEFINES = /^\s*(export|function|class|def|fn|func|interface|type|struct|enum|const|trait|impl|pub)\b/;

/** BM25 over lines: rare words weigh more, long lines less. The best line of each file, and a little for further ones. */
export function scoreLines(terms: readonly TermOutcome[]): ReadonlyMap<string, BestLine> {
  const files = new Map<string, Map<number, { text: string; score: number }>>();
  for (const { term, outcome } of terms) {
    const rarity = Math.log(
      1 + (outcome.searchedFiles - outcome.totalFiles + 0.5) / (outcome.totalFiles + 0.5),
    );
    for (const { path, lines } of outcome.files) {
      const scored = files.get(path) ?? new Map<number, { text: string; score: number }>();
      files.set(path, scored);
      for (const { line, text } of lines) {
        const before = scored.get(line)?.score ?? 0;
        scored.set(line, { text, score: before + (rarity + 0.1) * frequency(term, text) });
      }
    }
  }
  return new Map([...files].map(([path, lines]) => [path, bestOf(lines)]));
}

function frequency(term: string, text: string): number {
  const count = text.slice(0, 2_000).toLowerCase().split(term.toLowerCase()).length - 1 || 1;
  return (count * (K1 + 1)) / (count + K1 * (1 - B + (B * text.length) / TYPICAL_CHARS));
}

function bestOf(lines: ReadonlyMap<number, { text: string; score: number }>): BestLine {
  let best: BestLine = { line: 0, text: "", score: -1 };
  for (const [line, { text, score }] of lines) {
    const worth = DEFINES.test(text) ? score * 1.3 : score;
    if (worth > best.score || (worth === best.score && line < best.line)) best = { line, text, score: worth };
  }
  return { ...best, score: best.score * (1 + Math.log10(lines.size) / 10) };
}
