/** Returns the nearest index at or before `index` that does not split a surrogate pair. */
export function cutBefore(text: string, index: number): number {
  return splitsPair(text, index) ? index - 1 : index;
}

/** Returns the nearest index at or after `index` that does not split a surrogate pair. */
export function cutAfter(text: string, index: number): number {
  return splitsPair(text, index) ? index + 1 : index;
}

function splitsPair(text: string, index: number): boolean {
  if (index <= 0 || index >= text.length) return false;
  const before = text.charCodeAt(index - 1);
  const after = text.charCodeAt(index);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
