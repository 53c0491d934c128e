import type { SearchTally } from "../search/search-tally.js";
import type { SecretLinks } from "./secret-links.js";

/** Removes sensitive files under another name, and their counts, from the files that could be shown. */
export function withoutSecrets(tally: SearchTally, links: SecretLinks): SearchTally {
  const secret = tally.best.filter(({ path }) => links.isSecret(path));
  if (secret.length === 0) return tally;
  const lines = secret.reduce((sum, file) => sum + file.lines, 0);
  return {
    ...tally,
    best: tally.best.filter((file) => !secret.includes(file)),
    totalLines: tally.totalLines - lines,
    totalFiles: tally.totalFiles - secret.length,
    skipped: { ...tally.skipped, sensitive: tally.skipped.sensitive + secret.length },
  };
}
