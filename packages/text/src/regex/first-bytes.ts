import { BYTES, type ByteNfa, MATCH, SAVE } from "./byte-nfa.js";

/** Returns the bytes a match can begin with, as a table; undefined if a match can be empty. */
export function firstBytes(nfa: ByteNfa): Uint8Array | undefined {
  const table = new Uint8Array(256);
  const seen = new Uint8Array(nfa.kinds.length);
  const stack = [nfa.start];
  while (stack.length > 0) {
    const state = stack.pop() as number;
    if (seen[state]) continue;
    seen[state] = 1;
    const kind = nfa.kinds[state];
    const edges = nfa.edges[state] as readonly number[];
    if (kind === MATCH) return undefined;
    if (kind === BYTES)
      for (let index = 0; index < edges.length; index += 3)
        table.fill(1, edges[index], (edges[index + 1] as number) + 1);
    else if (kind === SAVE) stack.push(edges[0] as number);
    else for (let index = 0; index < edges.length; index++) stack.push(edges[index] as number);
  }
  // A line feed may be written as CRLF.
  if (nfa.crlf && table[0x0a]) table[0x0d] = 1;
  return table;
}
