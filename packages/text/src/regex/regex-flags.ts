/** The flags that `(?imsxUu)` sets. */
export interface RegexFlags {
  ignoreCase: boolean;
  /** `^` and `$` match at every line. */
  multiLine: boolean;
  dotAll: boolean;
  extended: boolean;
  swapGreed: boolean;
  /** If off, `\w` and similar classes are ASCII, and `\xff` is a byte. */
  unicode: boolean;
}

/** Search works on lines, so `^` and `$` match at lines unless the pattern says otherwise. */
export const DEFAULT_FLAGS: Readonly<RegexFlags> = {
  ignoreCase: false,
  multiLine: true,
  dotAll: false,
  extended: false,
  swapGreed: false,
  unicode: true,
};

export const FLAG_LETTERS: Readonly<Record<string, keyof RegexFlags>> = {
  i: "ignoreCase",
  m: "multiLine",
  s: "dotAll",
  x: "extended",
  U: "swapGreed",
  u: "unicode",
};
