/** Renders an edit as a headline and its diff. */
export function renderChange(headline: string, diff: string): string {
  return diff === "" ? headline : `${headline}\n${diff.trimEnd()}`;
}

export function plural(count: number, noun: string, several = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : several}`;
}
