/** Returns whether a line starts like a definition in a common language. */
export function looksLikeDefinition(bytes: Uint8Array, lineStart: number): boolean {
  let at = lineStart;
  while (bytes[at] === 0x20 || bytes[at] === 0x09) at++;
  let word = "";
  while (word.length < 10 && isLower(bytes[at])) word += String.fromCharCode(bytes[at++] as number);
  return DEFINING.has(word) && (bytes[at] === 0x20 || bytes[at] === 0x28);
}

const DEFINING: ReadonlySet<string> = new Set(
  "export function class def fn func interface type struct enum const trait impl pub module namespace macro let var public abstract async".split(
    " ",
  ),
);

function isLower(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x61 && byte <= 0x7a;
}
