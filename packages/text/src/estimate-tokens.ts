/**
 * Estimates the number of model tokens: four characters per token, but one per Chinese, Japanese or Korean
 * character, which length / 4 undercounts fourfold. Emoji and other astral characters count as two.
 */
export function estimateTokens(text: string): number {
  // Fast path for text without wide characters, which skips the loop.
  if (!MAYBE_WIDE.test(text)) return Math.ceil(text.length / 4);
  let wide = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code >= 0x1100 && isWide(code)) wide++;
  }
  return Math.ceil((text.length - wide) / 4 + wide);
}

const MAYBE_WIDE = /[\u1100-\uffff]/;

function isWide(code: number): boolean {
  if (code < 0x1200) return true;
  if (code < 0x2e80) return false;
  if (code < 0xa4d0) return true;
  if (code < 0xac00) return false;
  if (code < 0xe000) return true;
  if (code < 0xf900) return false;
  return code < 0xfb00 || (code >= 0xfe30 && code < 0xfe50) || (code >= 0xff00 && code < 0xfff0);
}
