/** Quotes a file name as git does if it would break the header line. Leaves other names readable. */
export function quoteDiffPath(path: string): string {
  if (!unsafe.test(path)) return path;
  return `"${path.replace(everyUnsafe, (character) => named[character] ?? octal(character))}"`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: a file name may hold them, a header line may not.
const unsafe = /["\\\0-\x1f\x7f]/;
const everyUnsafe = new RegExp(unsafe, "g");

const named: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

function octal(character: string): string {
  return `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`;
}
