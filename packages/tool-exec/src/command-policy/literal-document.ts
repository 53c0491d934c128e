/**
 * Returns what `$(cat <<'EOF' … )` in double quotes stands for, if nothing in it is expanded: the common way to pass text
 * of several lines. A command that holds one runs as the plan's own text, so that the shell reads it the same way.
 */
export function literalDocument(substitution: string): string | undefined {
  const [, quote, end = "", body] = DOCUMENT.exec(substitution) ?? [];
  if (body === undefined || (quote === "" && /[$`\\]/.test(body))) return undefined;
  const isEndedBefore = body.split("\n").includes(end);
  return isEndedBefore ? undefined : body.replace(/\n+$/, "");
}

/** Returns whether a command may hold such a text. */
export function mayHoldDocument(command: string): boolean {
  return command.includes("$(cat <<");
}

const DOCUMENT = /^\$\(cat <<\s?(["']?)([A-Za-z_]\w*)\1\n(|[\s\S]*\n)\2\n\s*\)$/;
