/**
 * Returns true for bytes that switch to a two-byte character set, as ISO-2022-JP, -KR and -CN do. Such text
 * is ASCII between the switches, so it passes for UTF-8. Terminal sequences (`ESC [`, `ESC ( B`) do not
 * count.
 */
export function hasIso2022Escapes(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(ESCAPE); at !== -1; at = bytes.indexOf(ESCAPE, at + 1)) {
    if (bytes[at + 1] !== DOLLAR) continue;
    const set = String.fromCharCode(bytes[at + 2] ?? 0, bytes[at + 3] ?? 0);
    if (/^(?:[@AB]|\([D@AB]|[)*][ACGH])/.test(set)) return true;
  }
  return false;
}

const [ESCAPE, DOLLAR] = [0x1b, 0x24];
