// Encodings from before Unicode carry no sign of what they are. Each one is asked to read a sample, and the
// reading that looks most like a language wins.
import { openDecoder } from "./iconv-codec.js";
import { scoreCyrillic } from "./score-cyrillic.js";
import { eastAsianScores } from "./score-east-asian.js";
import { scoreCentralEuropean, scoreWesternEuropean } from "./score-latin.js";
import { utf8SequenceLength } from "./utf-8.js";

/**
 * Legacy encodings that may fit, best first, with windows-1252 as the last resort. Bytes that look like UTF-8
 * with a few broken ones among them get no such benefit of the doubt: read as anything else, the next edit
 * that is not ASCII would leave a file in two encodings.
 */
export function detectLegacy(bytes: Uint8Array): string[] {
  const sample = sampleAround(bytes);
  const broken = isBrokenUtf8(sample);
  const convincing = readings
    .map(({ encoding, score }) => ({ encoding, score: scoreReading(sample, encoding, score) }))
    .filter(({ score }) => score >= (broken ? 0.6 : 0.35))
    .sort((left, right) => right.score - left.score)
    .map(({ encoding }) => encoding);
  return broken ? convincing : [...new Set([...convincing, lastResort])];
}

type Score = (text: string) => number;

const lastResort = "windows-1252";
const sampleLength = 64 * 1024;
const enoughAboveAscii = 4096;

// On a tie the earlier one wins.
const readings: readonly { encoding: string; score: Score }[] = [
  { encoding: "windows-1252", score: scoreWesternEuropean },
  { encoding: "windows-1250", score: scoreCentralEuropean },
  { encoding: "windows-1251", score: scoreCyrillic },
  { encoding: "koi8-r", score: scoreCyrillic },
  { encoding: "gb18030", score: eastAsianScores.simplifiedChinese },
  { encoding: "big5", score: eastAsianScores.traditionalChinese },
  { encoding: "shift_jis", score: eastAsianScores.japanese },
  { encoding: "euc-jp", score: eastAsianScores.japanese },
  { encoding: "euc-kr", score: eastAsianScores.korean },
];

/**
 * Starts shortly before the first byte above ASCII, since what comes before says nothing about the encoding,
 * and ends when enough of them are seen.
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

function scoreReading(sample: Uint8Array, encoding: string, score: Score): number {
  const text = openDecoder(encoding).write(sample);
  return text.includes("\ufffd") ? Number.NEGATIVE_INFINITY : score(text);
}
