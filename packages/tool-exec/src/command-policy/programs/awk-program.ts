/**
 * Accepts awk programs that cannot start programs, write files, read other files or see the environment. Checks words
 * and characters anywhere in the text, including strings and comments, so nothing can hide there.
 */
export function isPlainAwkProgram(program: string): boolean {
  if (/system|getline|ENVIRON|PROCINFO|SYMTAB|FUNCTAB|ARGV|ARGC|@|\\\n/.test(program)) return false;
  if (program.replaceAll("||", "").includes("|")) return false;
  return [...program.matchAll(/>/g)].every((match) => isComparison(program.slice(0, match.index)));
}

// After a print, a > redirects unless the statement has ended. If a quote, a regular expression or a comment could
// hide the end, it counts as a redirection.
function isComparison(before: string): boolean {
  const print = before.lastIndexOf("print");
  if (print < 0) return true;
  const since = before.slice(print);
  return /[;}]/.test(since) && !/["/#]/.test(since);
}
