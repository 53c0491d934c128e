/** Renders an edit as a headline and its diff. */
export function renderChange(headline: string, diff: string): string {
  return diff === "" ? headline : `${headline}\n${diff.trimEnd()}`;
}
