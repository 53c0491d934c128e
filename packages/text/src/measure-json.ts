export interface JsonMeasure {
  /** Number of members, items and containers, counted by punctuation. */
  readonly values: number;
  readonly depth: number;
  /** Length of the text when indented by two spaces. */
  readonly indentedChars: number;
}

/**
 * Measures JSON in one pass without building anything, so the cost of parsing and indenting it is known in advance.
 * For a text that is not JSON, the result covers what its brackets show.
 */
export function measureJson(text: string): JsonMeasure {
  let [values, depth, deepest, kept, added] = [0, 0, 0, 0, 0];
  const indent = () => 1 + 2 * depth;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at);
      kept += end - at + 1;
      at = end;
    } else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      values += 1;
      kept += 1;
      if (nextSolid(text, at + 1) === code + 2) continue;
      depth += 1;
      deepest = Math.max(deepest, depth);
      added += indent();
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
      kept += 1;
      if (previousSolid(text, at - 1) === code - 2) continue;
      depth = Math.max(0, depth - 1);
      added += indent();
    } else if (code === COMMA) {
      values += 1;
      kept += 1;
      added += indent();
    } else if (code === COLON) {
      kept += 1;
      added += 1;
    } else if (!isBlank(code)) kept += 1;
  }
  return { values: values + 1, depth: deepest, indentedChars: kept + added };
}

/** Returns true if the JSON holds more than `max` values. Stops at the first value over the limit. */
export function hasMoreValues(text: string, max: number): boolean {
  // Every value but the first follows punctuation.
  if (text.length <= max) return false;
  let values = 1;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COMMA || code === OPEN_LIST || code === OPEN_OBJECT) values += 1;
    if (values > max) return true;
  }
  return false;
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Returns the end of the string that starts at `start`, or the end of the text if it is unterminated. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return text.length - 1;
}

function nextSolid(text: string, from: number): number {
  let at = from;
  while (isBlank(text.charCodeAt(at))) at += 1;
  return text.charCodeAt(at);
}

function previousSolid(text: string, from: number): number {
  let at = from;
  while (isBlank(text.charCodeAt(at))) at -= 1;
  return text.charCodeAt(at);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
