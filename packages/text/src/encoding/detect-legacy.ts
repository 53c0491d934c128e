// Legacy encodings carry no marker. Each candidate decodes a sample, and the result that looks most like a
// language wins.
import { openDecoder } from "./iconv-codec.js";
import type { Language } from "./letter-pairs.js";
import { eastAsianScores } from "./score-east-asian.js";
import { scoreLetters } from "./score-letters.js";
import { utf8SequenceLength } from "./utf-8.js";

interface LegacyGuess {
  readonly encoding: string;
  /** The decoded text is long and looks like a language, and no other candidate comes close. */
  readonly isSure: boolean;
}

/**
 * Returns legacy encodings that may fit, best first, with windows-1252 as the last resort. Almost-valid UTF-8
 * gets none: decoding it as a legacy encoding would let the next non-ASCII edit mix two encodings in one
 * file.
 */
export function detectLegacy(bytes: Uint8Array): readonly LegacyGuess[] {
  const sample = sampleAround(bytes);
  const isBroken = isBrokenUtf8(sample);
  const scored = readings
    .map(({ encoding, score }) => ({ encoding, ...scoreReading(sample, encoding, score) }))
    .filter(({ score }) => score >= (isBroken ? 0.6 : 0.35))
    .sort((left, right) => right.score - left.score);
  const guesses = scored.map(({ encoding }, index) => ({ encoding, isSure: index === 0 && isSure(scored) }));
  const hasLastResort = isBroken || guesses.some(({ encoding }) => encoding === lastResort);
  return hasLastResort ? guesses : [...guesses, { encoding: lastResort, isSure: false }];
}

/** Whether bytes decoded with the given encoding look like one of the languages it is used for. */
export function readsLikeLanguage(bytes: Uint8Array, encoding: string): boolean {
  const score = readings.find((each) => each.encoding === encoding)?.score ?? inLanguages(western);
  const reading = scoreReading(sampleAround(bytes), encoding, score);
  const isShort = (reading.text.match(/[^\0-\x7f]/g)?.length ?? 0) <= 4;
  return reading.score >= (isShort ? 0.35 : SURE_SCORE);
}

interface ScoredReading {
  readonly text: string;
  readonly score: number;
}

function isSure([best, ...others]: readonly ScoredReading[]): boolean {
  if (best === undefined || best.score < SURE_SCORE) return false;
  if ((best.text.match(/[^\0-\x7f]/g)?.length ?? 0) < SURE_CHARACTERS) return false;
  // Two encodings that decode to the same text do not contradict each other.
  const rival = others.find(({ text }) => text !== best.text);
  return rival === undefined || best.score - rival.score >= SURE_MARGIN;
}

const SURE_SCORE = 0.6;
const SURE_CHARACTERS = 60;
const SURE_MARGIN = 0.15;

type Score = (text: string) => number;

const lastResort = "windows-1252";
const sampleLength = 64 * 1024;
const enoughAboveAscii = 1024;

// On a tie, the earlier one wins.
const western = ["fr", "de", "es", "pt", "it", "sv", "da", "fi", "is", "ca", "nl"] as const;
const central = ["pl", "cs", "sk", "hu", "ro", "hr", "sl", "de"] as const;
const cyrillic = ["ru", "uk", "bg", "sr", "mk", "be"] as const;

// On a tie, the earlier one wins.
const readings: readonly { encoding: string; score: Score }[] = [
  { encoding: "windows-1252", score: inLanguages(western) },
  { encoding: "windows-1250", score: inLanguages(central) },
  { encoding: "iso-8859-2", score: inLanguages(central) },
  { encoding: "windows-1254", score: inLanguages(["tr"]) },
  { encoding: "windows-1257", score: inLanguages(["lt", "lv", "et"]) },
  { encoding: "windows-1251", score: inLanguages(cyrillic) },
  { encoding: "koi8-r", score: inLanguages(["ru", "bg"]) },
  { encoding: "koi8-u", score: inLanguages(["uk"]) },
  { encoding: "iso-8859-5", score: inLanguages(cyrillic) },
  { encoding: "ibm866", score: inLanguages(["ru", "bg", "be"]) },
  { encoding: "maccyrillic", score: inLanguages(cyrillic) },
  { encoding: "windows-1253", score: inLanguages(["el"]) },
  { encoding: "iso-8859-7", score: inLanguages(["el"]) },
  { encoding: "windows-1255", score: inLanguages(["he"]) },
  { encoding: "iso-8859-8", score: inLanguages(["he"]) },
  { encoding: "windows-1256", score: inLanguages(["ar", "fa"]) },
  { encoding: "iso-8859-6", score: inLanguages(["ar"]) },
  { encoding: "windows-874", score: inLanguages(["th"]) },
  { encoding: "gb18030", score: eastAsianScores.simplifiedChinese },
  { encoding: "big5", score: eastAsianScores.traditionalChinese },
  { encoding: "shift_jis", score: eastAsianScores.japanese },
  { encoding: "euc-jp", score: eastAsianScores.japanese },
  { encoding: "euc-kr", score: eastAsianScores.korean },
];

function inLanguages(languages: readonly Language[]): Score {
  return (text) => scoreLetters(text, languages);
}

/**
 * Starts shortly before the first byte above ASCII, because ASCII says nothing about the encoding. Ends once
 * it holds enough such bytes.
 */
function sampleAround(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte >= 0x80);
  const limit = Math.min(bytes.length, first + sampleLength);
  let end = first;
  for (let above = 0; end < limit && above < enoughAboveAscii; end++) if ((bytes[end] ?? 0) >= 0x80) above++;
  return bytes.subarray(Math.max(0, first - 64), end);
}

function isBrokenUtf8(sample: Uint8Array): boolean {
  let valid = 0;
  let invalid = 0;
  for (let at = 0; at < sample.length; ) {
    const length = validSequenceAt(sample, at);
    if (length === 0) invalid++;
    else if (length > 1) valid++;
    at += Math.max(1, length);
  }
  return valid > 0 && valid >= invalid;
}

function validSequenceAt(bytes: Uint8Array, at: number): number {
  const length = utf8SequenceLength(bytes[at] ?? 0);
  for (let offset = 1; offset < length; offset++) {
    if (((bytes[at + offset] ?? 0) & 0xc0) !== 0x80) return 0;
  }
  return length;
}

function scoreReading(sample: Uint8Array, encoding: string, score: Score): ScoredReading {
  const text = openDecoder(encoding).write(sample);
  return { text, score: text.includes("\ufffd") ? Number.NEGATIVE_INFINITY : score(text) };
}
