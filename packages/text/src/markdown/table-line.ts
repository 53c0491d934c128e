/** Returns the cells of a table row in Markdown. A bar after a backslash belongs to its cell. */
export function tableCells(line: string): readonly string[] {
  const inner = line.trim().replace(/^\||(?<!\\)\|$/g, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

/** Returns whether a line can be the second line of a table: dashes, and colons that align its columns. */
export function isTableRule(line: string): boolean {
  return tableCells(line).every((cell) => /^:?-+:?$/.test(cell));
}
