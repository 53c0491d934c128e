/**
 * Accepts awk programs that cannot start programs, write files, read other files or see the environment. It goes by
 * words and characters anywhere in the text, strings and comments included, so nothing can hide in them.
 */
export function isPlainAwkProgram(program: string): boolean {
  if (/system|getline|ENVIRON|PROCINFO|SYMTAB|FUNCTAB|ARGV|ARGC|@|\\\n/.test(program)) return false;
  if (program.replaceAll("||", "").includes("|")) return false;
  return hasNoOutputRedirection(program);
}

// A > before the first print can only compare.
function hasNoOutputRedirection(program: string): boolean {
  const print = program.indexOf("print");
  return print < 0 || program.lastIndexOf(">") < print;
}
