/** The style of a piece of terminal output. Colours are CSS colours or names of the palette. */
export interface TerminalStyle {
  readonly flags: ReadonlySet<Flag>;
  readonly ink?: string;
  readonly paper?: string;
}

type Flag = "bold" | "dim" | "italic" | "underline" | "strike" | "inverse";

export const PLAIN: TerminalStyle = { flags: new Set() };

/** Returns the style after the codes of one `ESC [ … m` sequence. Unknown codes change nothing. */
export function styleAfter(style: TerminalStyle, codes: string): TerminalStyle {
  const numbers = codes.split(/[;:]/).map((code) => (code === "" ? 0 : Number(code)));
  let next = style;
  for (let at = 0; at < numbers.length; at++) {
    const code = numbers[at] ?? 0;
    if (code === 38 || code === 48) {
      const { colour, length } = extendedColour(numbers.slice(at + 1));
      at += length;
      if (colour !== undefined) next = { ...next, [code === 38 ? "ink" : "paper"]: colour };
    } else next = afterCode(next, code);
  }
  return next;
}

function afterCode(style: TerminalStyle, code: number): TerminalStyle {
  if (code === 0) return PLAIN;
  const { ink: _ink, ...withoutInk } = style;
  const { paper: _paper, ...withoutPaper } = style;
  if (code === 39) return withoutInk;
  if (code === 49) return withoutPaper;
  const ink = paletteName(code, 30) ?? paletteName(code, 90, 8);
  if (ink !== undefined) return { ...style, ink };
  const paper = paletteName(code, 40) ?? paletteName(code, 100, 8);
  if (paper !== undefined) return { ...style, paper };
  const set = FLAGS[code];
  if (set !== undefined) return { ...style, flags: new Set([...style.flags, set]) };
  const unset = UNSET[code];
  if (unset === undefined) return style;
  return { ...style, flags: new Set([...style.flags].filter((flag) => !unset.includes(flag))) };
}

const FLAGS: Readonly<Record<number, Flag>> = {
  1: "bold",
  2: "dim",
  3: "italic",
  4: "underline",
  7: "inverse",
  9: "strike",
};

const UNSET: Readonly<Record<number, readonly Flag[]>> = {
  22: ["bold", "dim"],
  23: ["italic"],
  24: ["underline"],
  27: ["inverse"],
  29: ["strike"],
};

/** The sixteen named colours follow the theme; their values are in the style sheet. */
function paletteName(code: number, first: number, offset = 0): string | undefined {
  return code >= first && code < first + 8 ? `var(--term-${code - first + offset})` : undefined;
}

interface Extended {
  readonly colour?: string;
  /** The number of parameters it consumes. */
  readonly length: number;
}

/** Parses `5;N` as one of 256 colours, and `2;R;G;B` as any colour. */
function extendedColour([mode, first = 0, green = 0, blue = 0]: readonly number[]): Extended {
  if (mode === 5) return { colour: indexedColour(first), length: 2 };
  if (mode !== 2) return { length: 1 };
  return { colour: rgb(first, green, blue), length: 4 };
}

/** Returns a colour of the 256: 16 named ones, a cube of 6 by 6 by 6, and 24 greys. */
function indexedColour(index: number): string {
  if (!(index >= 0 && index <= 255)) return "inherit";
  if (index < 16) return `var(--term-${index})`;
  if (index >= 232) {
    const grey = 8 + 10 * (index - 232);
    return rgb(grey, grey, grey);
  }
  const place = index - 16;
  const level = (part: number) => (part === 0 ? 0 : 55 + 40 * part);
  return rgb(level(Math.floor(place / 36)), level(Math.floor(place / 6) % 6), level(place % 6));
}

function rgb(...parts: readonly number[]): string {
  return `rgb(${parts.map((part) => Math.min(255, Math.max(0, Math.trunc(part) || 0))).join(" ")})`;
}
