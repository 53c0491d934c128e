/** `target` is the address that follows the text of a link; `gone` is struck through. */
export type InlineStyle = "code" | "strong" | "em" | "gone" | "link" | "target";

/** A run of delimiters (`*`, `_` or `~`), the characters around it, and the number of pieces before it. */
interface DelimiterRun {
  readonly run: string;
  readonly at: number;
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly pieces: number;
}

interface StyledPiece {
  text: string;
  readonly around: InlineStyle[];
}

/** Delimiters that may still open emphasis. `piece` holds those of them that are left. */
interface Opener {
  readonly sign: string;
  readonly at: number;
  readonly piece: number;
  count: number;
}

/**
 * Pairs the delimiters of emphasis, as CommonMark does, but stricter where plain text contains them: globs
 * (`src/*.ts`), products (`2*3`) and names (`__init__`) stay as they are.
 */
export class EmphasisStack {
  readonly #openers: Opener[] = [];

  /** The positions of the first delimiters that later text may close. */
  get openAt(): number | undefined {
    return this.#openers[0]?.at;
  }

  /**
   * Reads a run and styles the pieces that it closes. Returns its delimiters that are text, unless a later run closes
   * them.
   */
  read(delimiters: DelimiterRun, pieces: readonly StyledPiece[], text: string): string {
    const sign = delimiters.run[0] ?? "";
    let left = delimiters.run.length;
    while (left > 0 && canClose(delimiters)) {
      const opener = this.#openerOf(sign, left, (at) => text.slice(at, delimiters.at));
      if (opener === undefined) break;
      const used = sign === "~" || (opener.count > 1 && left > 1) ? 2 : 1;
      const style = sign === "~" ? "gone" : used === 2 ? "strong" : "em";
      for (const piece of pieces.slice(opener.piece + 1)) piece.around.push(style);
      this.#use(opener, used, pieces);
      left -= used;
    }
    if (left > 0 && canOpen(delimiters, left))
      this.#openers.push({ sign, at: delimiters.at, piece: delimiters.pieces, count: left });
    return sign.repeat(left);
  }

  /** Drops the openers above the returned one, because what they would enclose ends outside. */
  #openerOf(sign: string, left: number, textFrom: (at: number) => string): Opener | undefined {
    const at = this.#openers.findLastIndex((opener) => opener.sign === sign && arePair(opener.count, left));
    const opener = this.#openers[at];
    if (opener === undefined) return undefined;
    const isText = isName(opener, textFrom(opener.at + opener.count));
    this.#openers.length = isText ? at : at + 1;
    return isText ? undefined : opener;
  }

  #use(opener: Opener, used: number, pieces: readonly StyledPiece[]): void {
    opener.count -= used;
    const piece = pieces[opener.piece];
    if (piece !== undefined) piece.text = opener.sign.repeat(opener.count);
    if (opener.count === 0) this.#openers.pop();
  }
}

/** A delimiter never closes two: `**kwargs` is not emphasis. */
function arePair(opening: number, closing: number): boolean {
  return opening === closing || opening > 2 || closing > 2;
}

function canOpen({ run, before, after }: DelimiterRun, count: number): boolean {
  if (after === undefined || /[\s)\],;:]/.test(after)) return false;
  if (run.startsWith("~")) return count === 2;
  if (run.startsWith("_")) return before === undefined || (!/[\w/.\\-]/.test(before) && !LETTER.test(before));
  if (after === "/" || (count === 1 && after === ".")) return false;
  if (count === 1) return before === undefined || !/[A-Za-z0-9/.\\)\]*]/.test(before);
  return !(isAscii(before) && isAscii(after));
}

function canClose({ run, before, after }: DelimiterRun): boolean {
  if (before === undefined || /[\s([{]/.test(before)) return false;
  if (run.startsWith("~")) return run.length === 2;
  if (run.startsWith("_")) return after === undefined || (after !== "_" && !LETTER.test(after));
  if (run.length === 1) return !isAscii(after) && before !== "/" && after !== "/";
  return !(isAscii(before) && isAscii(after));
}

function isAscii(character: string | undefined): boolean {
  return character !== undefined && /[A-Za-z0-9]/.test(character);
}

/** A name of Python, such as `__init__`. */
function isName({ sign, count }: Opener, inner: string): boolean {
  return sign === "_" && count > 1 && /^\w+$/.test(inner);
}

const LETTER = /[\p{L}\p{N}]/u;
