/** What the model reads after an edit: what happened, then the new code as a diff. */
export function renderChange(headline: string, diff: string, isPreview: boolean): string {
  const first = isPreview ? `[Dry Run] ${headline} Nothing was changed.` : headline;
  return diff === "" ? first : `${first}\n${diff.trimEnd()}`;
}

export function plural(count: number, noun: string, several = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : several}`;
}
