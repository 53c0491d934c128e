/**
 * Returns a function that remembers its latest results. For pure functions of a command: one call asks about the same
 * text up to seven times, for its rules, its network, its operands and its proposal.
 */
export function rememberLatest<Result>(compute: (text: string) => Result): (text: string) => Result {
  const latest = new Map<string, Result>();
  return (text) => {
    const known = latest.get(text);
    if (known !== undefined) return known;
    const result = compute(text);
    if (latest.size >= MAX_REMEMBERED) latest.clear();
    latest.set(text, result);
    return result;
  };
}

const MAX_REMEMBERED = 8;
