import type { NfaSearch, Span, Steps } from "@haft/text/regex";

interface Simulation {
  readonly text: Parameters<NfaSearch["begin"]>[0];
  readonly from: number;
  /** Whether any end of the match will do. */
  readonly anyEnd: boolean;
  /** Called before each pause; may throw to stop. */
  readonly pulse: () => void;
}

/** Finds the leftmost match at or after `from` by simulating the automaton. */
export function* simulate(
  nfa: NfaSearch,
  { text, from, anyEnd, pulse }: Simulation,
): Steps<Span | undefined> {
  nfa.begin(text, from, anyEnd);
  while (!nfa.advance()) {
    pulse();
    yield;
  }
  return nfa.found;
}
