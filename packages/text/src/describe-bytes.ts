import { countOf } from "./count-of.js";

/** Formats a byte count for people: `812 bytes`, `41 KB`, `4.2 MB`. */
export function describeBytes(bytes: number): string {
  if (bytes < 1024) return countOf(bytes, "byte");
  const units = ["KB", "MB", "GB", "TB"];
  let value = bytes / 1024;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value < 10 ? Math.round(value * 10) / 10 : Math.round(value)} ${units[unit]}`;
}
