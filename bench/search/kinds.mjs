// The pattern kinds of the goals, with the ratio to spawned ripgrep that each tree allows.
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

export const GOALS = { small: 0.6, medium: 0.8, large: 1.0, first: 1.5, growth: 11 };
