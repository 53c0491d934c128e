import { likelihood } from "./byte-rarity.js";
import { asMaskedByte } from "./byte-set.js";
import type { Knowledge, Requirement, Run } from "./required-runs.js";

/** What the kernel looks for before a line is examined. */
export type Prefilter =
  | LiteralFilter
  /** A single run is a window with its own sets; several runs are alternatives of equal width. */
  | { readonly kind: "window"; readonly runs: readonly Run[] };

export interface LiteralFilter {
  readonly kind: "literal";
  readonly run: Run;
  readonly first: number;
  readonly second: number;
  readonly exact: boolean;
}

/** Returns whether its candidates are the matches themselves. */
export function isExact(prefilter: Prefilter | undefined): prefilter is LiteralFilter {
  return prefilter?.kind === "literal" && prefilter.exact;
}

/** Returns the cheapest way to find candidate lines, or undefined if examining every byte costs less. */
export function choosePrefilter(knowledge: Knowledge): Prefilter | undefined {
  if (knowledge.exact && knowledge.precise) {
    const whole = literalChoice(knowledge.exact, true);
    if (whole) return whole.filter;
  }
  const choices = knowledge.requirements.flatMap(choicesFor);
  const best = choices.sort((left, right) => left.cost - right.cost)[0];
  return best && best.cost < COST.examine ? best.filter : undefined;
}

interface Choice {
  readonly filter: Prefilter;
  readonly cost: number;
}

// Nanoseconds per byte scanned, and per line examined; measured, and only roughly needed.
const COST = { literal: 0.1, window: 0.3, line: 120, examine: 1.6 } as const;

function choicesFor(requirement: Requirement): Choice[] {
  const windows = windowChoice(requirement);
  if (requirement.length > 1) return windows ? [windows] : [];
  const literals = maskedParts(requirement[0] as Run).map((part) => literalChoice(part, false));
  return [...literals, windows].filter((choice) => choice !== undefined);
}

// Returns the parts of a run that the literal scan can compare.
function maskedParts(run: Run): Run[] {
  const parts: Run[] = [];
  let from = 0;
  for (let index = 0; index <= run.length; index++) {
    const set = run[index];
    if (set && asMaskedByte(set)) continue;
    if (index > from) parts.push(run.slice(from, index));
    from = index + 1;
  }
  return parts;
}

function literalChoice(run: Run, exact: boolean): Choice | undefined {
  if (run.length === 0 || run.length > 255 || !run.every((set) => asMaskedByte(set))) return undefined;
  const odds = run.map(likelihood);
  const order = odds.map((_, index) => index).sort((a, b) => (odds[a] as number) - (odds[b] as number));
  const first = order[0] as number;
  // Adjacent bytes of a word are correlated: of two equally rare ones, the more distant says more.
  const second = order.slice(1).sort((a, b) => spread(odds, first, a) - spread(odds, first, b))[0] ?? first;
  const chance = chanceOf(order.map((index) => odds[index] as number));
  return { filter: { kind: "literal", run, first, second, exact }, cost: COST.literal + chance * COST.line };
}

function spread(odds: readonly number[], first: number, index: number): number {
  return (odds[index] as number) * (Math.abs(first - index) === 1 ? 2 : 1);
}

// Bytes of one word are correlated: after the two rarest, the others count less.
function chanceOf(sortedOdds: readonly number[]): number {
  return sortedOdds.reduce((chance, odd, index) => chance * (index < 2 ? odd : Math.sqrt(odd)), 1);
}

function windowChoice(requirement: Requirement): Choice | undefined {
  const width = Math.min(requirement.length > 1 ? 3 : 4, ...requirement.map((run) => run.length));
  if (width === 0) return undefined;
  const chosen = requirement.map((run) => rarestWindow(run, width));
  const chance = chosen.reduce((sum, window) => sum + window.chance, 0);
  return {
    filter: { kind: "window", runs: chosen.map((window) => window.run) },
    cost: COST.window + chance * COST.line,
  };
}

function rarestWindow(run: Run, width: number): { run: Run; chance: number } {
  let best = { run: run.slice(0, width), chance: 2 };
  for (let from = 0; from + width <= run.length; from++) {
    const window = run.slice(from, from + width);
    const chance = chanceOf(window.map(likelihood).sort((a, b) => a - b));
    if (chance < best.chance) best = { run: window, chance };
  }
  return best;
}
