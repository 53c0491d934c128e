/**
 * Whether a name can be typed, listed and read back as text: names with control characters cannot. Every tool that
 * lists, finds or opens files applies this check.
 */
export function isPlainName(name: string): boolean {
  return !CONTROL.test(name);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\x00-\x1f\x7f-\x9f]/;
