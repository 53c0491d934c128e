/** What a search skipped, and why: an empty result must state what it left out. */
export interface SkipLedger {
  ignored: number;
  hidden: number;
  binary: number;
  tooLarge: number;
  tooDeep: number;
  timedOut: number;
  denied: number;
  sensitive: number;
  /** Number of ignore-file lines skipped for being too long or too many. */
  ignoreRules: number;
  /** A few example names for each reason that interests a person. */
  readonly examples: Record<"tooLarge" | "tooDeep" | "timedOut" | "denied", string[]>;
}

const EXAMPLES = 5;

export function emptyLedger(): SkipLedger {
  const examples = { tooLarge: [], tooDeep: [], timedOut: [], denied: [] };
  return {
    ignored: 0,
    hidden: 0,
    binary: 0,
    tooLarge: 0,
    tooDeep: 0,
    timedOut: 0,
    denied: 0,
    sensitive: 0,
    ignoreRules: 0,
    examples,
  };
}

export function noteSkip(ledger: SkipLedger, reason: keyof SkipLedger["examples"], path: string): void {
  ledger[reason]++;
  if (ledger.examples[reason].length < EXAMPLES) ledger.examples[reason].push(path);
}

export function mergeLedgers(left: SkipLedger, right: SkipLedger): SkipLedger {
  const merged = emptyLedger();
  for (const key of Object.keys(merged) as (keyof SkipLedger)[]) {
    if (key !== "examples") merged[key] = left[key] + right[key];
  }
  for (const reason of Object.keys(merged.examples) as (keyof SkipLedger["examples"])[]) {
    const names = [...left.examples[reason], ...right.examples[reason]].sort();
    merged.examples[reason].push(...names.slice(0, EXAMPLES));
  }
  return merged;
}
