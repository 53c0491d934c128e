/** Formats a count with its noun: `1 file`, `1,204 files`, `2 matches`. */
export function countOf(count: number, noun: string): string {
  return `${groupDigits(count)} ${count === 1 ? noun : pluralOf(noun)}`;
}

export function groupDigits(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Formats a size in the units of file managers: `812 bytes`, `41 KB`, `1 MB`. */
export function describeBytes(bytes: number): string {
  if (bytes < 1024) return countOf(bytes, "byte");
  if (bytes < 1024 * 1024) return `${Math.round(bytes / 1024)} KB`;
  return `${Math.round((bytes / 1024 / 1024) * 10) / 10} MB`;
}

function pluralOf(noun: string): string {
  if (noun.endsWith("ch")) return `${noun}es`;
  return noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}
