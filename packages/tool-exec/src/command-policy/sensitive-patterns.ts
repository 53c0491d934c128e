import { HARMLESS_ENV_FILES, SENSITIVE_GLOBS, SENSITIVE_PATH_GLOBS } from "@haft/text/path-rules";

/**
 * The sensitive names as globs that grep, rg, diff and git all understand, so that a recursive command can skip them.
 * Letters match in both cases. `.env.*` is spelt out around `.env.example` and similar names, because none of these
 * programs can exclude a name and include it again.
 */
export const sensitivePatterns: readonly string[] = [
  ...SENSITIVE_GLOBS.filter((name) => name !== ".env.*").map(caseless),
  ...allBut(
    ".env.",
    HARMLESS_ENV_FILES.map((name) => name.slice(".env.".length)),
  ),
];

/** The patterns for paths that are sensitive by location, for programs that match whole paths. */
export const sensitivePathPatterns: readonly string[] = SENSITIVE_PATH_GLOBS.map(caseless);

// Matches every name that starts with the prefix, except prefix + word: one glob per position where it can differ.
function allBut(prefix: string, words: readonly string[]): string[] {
  const starts = new Set(words.flatMap((word) => [...word].map((_, length) => word.slice(0, length))));
  const patterns = [...starts].flatMap((start) => {
    const next = words.filter((word) => word.startsWith(start)).map((word) => word[start.length] ?? "");
    const differs = `${caseless(prefix + start)}[!${bothCases(next.join(""))}]*`;
    return start === "" || words.includes(start) ? [differs] : [caseless(prefix + start), differs];
  });
  return [...patterns, ...words.map((word) => `${caseless(prefix + word)}?*`)];
}

function caseless(name: string): string {
  return name.replace(/[a-z]/g, (letter) => `[${bothCases(letter)}]`);
}

function bothCases(letters: string): string {
  return letters + letters.toUpperCase();
}
