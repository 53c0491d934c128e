/** Formats a count with its noun: `1 file`, `1,204 files`, `2 matches`, `3 entries`. */
export function countOf(count: number, noun: string): string {
  return `${groupDigits(count)} ${count === 1 ? noun : pluralOf(noun)}`;
}

/** Formats an integer with commas: `1,204,567`. */
export function groupDigits(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

function pluralOf(noun: string): string {
  if (noun.endsWith("ch")) return `${noun}es`;
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}
