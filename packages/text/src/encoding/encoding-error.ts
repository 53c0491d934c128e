import { lazyPattern } from "../lazy-pattern.js";

const brand = Symbol.for("@haft/text/EncodingError");

/**
 * Thrown for a character the target encoding cannot represent. Nothing is encoded, and no "?" is substituted.
 */
export class EncodingError extends Error {
  override readonly name = "EncodingError";
  readonly [brand] = true;
  readonly character: string;
  /** Offset of the character in the text, in UTF-16 units. */
  readonly index: number;
  readonly encoding: string;

  constructor(problem: { character: string; index: number; encoding: string }) {
    super(
      `${describeCharacter(problem.character)} at index ${problem.index} cannot be written in ${problem.encoding}`,
    );
    this.character = problem.character;
    this.index = problem.index;
    this.encoding = problem.encoding;
  }

  /** Works across two installed copies of this package, where `instanceof` fails. */
  static is(value: unknown): value is EncodingError {
    return value instanceof Error && brand in value;
  }
}

function describeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const name = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  if (code >= 0xd800 && code <= 0xdfff) return `The lone surrogate ${name}`;
  return VISIBLE().test(character) ? `The character "${character}" (${name})` : `The character ${name}`;
}

const VISIBLE = lazyPattern(String.raw`^[\p{L}\p{N}\p{P}\p{S}]$`);
