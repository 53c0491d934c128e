// The kinds of patterns that the goals name; the hard one has its own goal.
export const KINDS = [
  { name: "rare literal", pattern: "needleInHaystack" },
  { name: "common literal", pattern: "const" },
  { name: "absent literal", pattern: "zzzqqqxx" },
  { name: "case-insensitive literal", pattern: "NEEDLEinhaystack", ignoreCase: true },
  { name: "lit.*lit", pattern: "const.*await" },
  { name: "alternation of four words", pattern: "needle|unfindable|résumé|xyzzy" },
  { name: "\\bword\\b", pattern: "\\bupdate\\b" },
  { name: "anchored", pattern: "^export (async )?function" },
  { name: "unicode class", pattern: "\\p{Script=Han}+" },
  { name: "no literal", pattern: "[a-z]{3}\\d{4}" },
  { name: "suffix literal", pattern: "\\w+Handler\\(" },
  { name: "hard: three words", pattern: "\\w+\\s+\\w+\\s+\\w+\\(", goal: 1.4 },
  { name: "hard: quoted string", pattern: '"[^"]*"', goal: 1.4 },
];

/** Other patterns of the same kinds, for a tree that nothing was tuned on. */
export const UNSEEN_KINDS = [
  { name: "rare literal", pattern: "setPrototypeOf" },
  { name: "common literal", pattern: "return" },
  { name: "absent literal", pattern: "qwxzjkvbnm" },
  { name: "case-insensitive literal", pattern: "deprecationWARNING", ignoreCase: true },
  { name: "lit.*lit", pattern: "throw.*Error" },
  { name: "alternation of four words", pattern: "charCodeAt|fromCodePoint|localeCompare|normalize" },
  { name: "\\bword\\b", pattern: "\\bnull\\b" },
  { name: "anchored", pattern: "^(module\\.)?exports\\b" },
  { name: "unicode class", pattern: "\\p{Greek}" },
  { name: "no literal", pattern: "[0-9]{4}-[0-9]{2}" },
  { name: "suffix literal", pattern: "\\w+Listener\\(" },
  { name: "hard: three words", pattern: "\\w+\\s+\\w+\\s+\\w+;", goal: 1.4 },
  { name: "hard: quoted string", pattern: "'[^']*'", goal: 1.4 },
];

export const GOALS = {
  small: 0.6,
  medium: 0.8,
  large: 1.0,
  unseen: 1.0,
  first: 1.5,
  growth: 11,
  globby: 0.4,
  ripgrepFiles: 0.6,
  memoryMb: 150,
  stallMs: 15,
  cancelMs: 100,
};
