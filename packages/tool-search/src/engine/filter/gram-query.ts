import type { ByteSet } from "../prefilter/byte-set.js";
import type { Requirement, Run } from "../prefilter/required-runs.js";
import { gramHash, withoutCase } from "./gram-hash.js";

/**
 * What the filter of a file must contain for the file to be worth opening: at least one run of each requirement, and
 * all parts of that run. A file without a match may pass by chance; a file with a match always passes.
 */
export type GramQuery = readonly (readonly RunGrams[])[];

interface RunGrams {
  /** At least one hash of each list; hashes of three bytes. */
  readonly grams: readonly (readonly number[])[];
  /** At least one of these bytes from 0x80 on, as four words of bits. */
  readonly highBytes: Int32Array | undefined;
}

/** Returns undefined if the pattern requires nothing that a filter can check. */
export function gramQuery(requirements: readonly Requirement[]): GramQuery | undefined {
  const query = requirements.map((runs) => runs.map(runGrams)).filter((runs) => runs.every(saysSomething));
  return query.length === 0 ? undefined : query;
}

/** The grams of one file, anywhere in a larger memory. */
export interface GramBits {
  readonly bytes: Uint8Array;
  readonly words: Int32Array;
  /** The offset of the 16 bytes of high bytes, a multiple of 4; the 2^log bits of grams follow. */
  readonly at: number;
  readonly log: number;
}

/** Returns false only if no text with these grams can match. */
export function mayMatch(query: GramQuery, bits: GramBits): boolean {
  return query.every((runs) => runs.some((run) => mayHold(run, bits)));
}

/** More choices than this almost always match by chance. */
const MAX_CHOICES = 6;

function saysSomething({ grams, highBytes }: RunGrams): boolean {
  return grams.length > 0 || highBytes !== undefined;
}

function runGrams(run: Run): RunGrams {
  const choices = run.map(bytesOf);
  const grams: number[][] = [];
  for (let at = 0; at + 3 <= run.length; at++) {
    const [first, second, third] = choices.slice(at, at + 3) as [number[], number[], number[]];
    if (first.length * second.length * third.length <= MAX_CHOICES) grams.push(hashes(first, second, third));
  }
  // The fewer the choices, the sooner a file is ruled out.
  return { grams: grams.sort((a, b) => a.length - b.length), highBytes: rarestHighBytes(choices) };
}

function bytesOf(set: ByteSet): number[] {
  const bytes = new Set<number>();
  for (let byte = 0; byte < 256; byte++) if (set[byte]) bytes.add(withoutCase(byte));
  return [...bytes];
}

function hashes(first: readonly number[], second: readonly number[], third: readonly number[]): number[] {
  return first.flatMap((a) => second.flatMap((b) => third.map((c) => gramHash(a, b, c))));
}

function rarestHighBytes(choices: readonly (readonly number[])[]): Int32Array | undefined {
  const high = choices.filter((bytes) => bytes.every((byte) => byte >= 0x80));
  if (high.length === 0) return undefined;
  const words = new Int32Array(4);
  for (const byte of high.reduce((best, next) => (next.length < best.length ? next : best))) {
    const bit = byte - 0x80;
    words[bit >> 5] = (words[bit >> 5] as number) | (1 << (bit & 31));
  }
  return words;
}

function mayHold({ grams, highBytes }: RunGrams, bits: GramBits): boolean {
  if (highBytes && !holdsAnyOf(highBytes, bits)) return false;
  return grams.every((choices) => choices.some((hash) => holdsGram(hash, bits)));
}

function holdsAnyOf(highBytes: Int32Array, { words, at }: GramBits): boolean {
  return highBytes.some((word, index) => (word & (words[at / 4 + index] as number)) !== 0);
}

function holdsGram(hash: number, { bytes, at, log }: GramBits): boolean {
  const index = hash >>> (16 - log);
  return ((bytes[at + 16 + (index >> 3)] as number) & (1 << (index & 7))) !== 0;
}
