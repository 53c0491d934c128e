export function nearestNames(wanted: string, candidates: Iterable<string>, max = 3): string[] {
  return [...candidates].filter((name) => name.toLowerCase() === wanted.toLowerCase()).slice(0, max);
}
