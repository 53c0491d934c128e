// Bounded, so that a line of many open brackets stays cheap.
const LABEL = "[^[\\]]{0,300}(?:\\[[^[\\]]{0,100}\\][^[\\]]{0,300})?";
const TARGET = "(?:[^\\s()<>]|\\([^\\s()]{0,200}\\))";
export const LINK = new RegExp(
  `!?\\[(?<label>${LABEL})\\]\\(<?(?<target>${TARGET}{0,2000})>?(?:\\s{1,3}"[^"]{0,300}")?\\)`,
  "y",
);
/** The beginning of a link at the end of the text. */
export const OPEN_LINK = new RegExp(
  `!?\\[(?:[^[\\]]{0,300}(?:\\[[^[\\]]{0,100})?|${LABEL}(?:\\](?:\\(<?${TARGET}{0,2000}(?:\\([^\\s()]{0,200}|>?(?:\\s{1,3}(?:"[^"]{0,300}"?)?)?))?)?)$|!$`,
  "y",
);
export const ADDRESS = /<((?:https?:\/\/|mailto:)[^\s<>]{1,2000})>/y;
export const LINE_BREAK = /<br\s*\/?>/iy;
/** The beginning of an address or of a line break at the end of the text. */
export const OPEN_ADDRESS = /<[^\s<>]{0,2000}$|<br\s*\/?$/iy;
