/**
 * Whether a name can be given as text, to be typed, listed and read again: none with control characters can. What every tool
 * goes by that lists, finds or opens files.
 */
export function isPlainName(name: string): boolean {
  return !CONTROL.test(name);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\x00-\x1f\x7f-\x9f]/;
