import { type Command, forEachChild, type ParsedScript, type SyntaxNode } from "unbash";

/**
 * Returns whether the parser skipped text without an error. It is tolerant, and dropped text (such as a parenthesis
 * after a command name) would be missing from the check.
 */
export function hasUnreadText(script: ParsedScript, text: string): boolean {
  const spans: Span[] = [];
  collect(script, spans);
  let rest = "";
  let at = 0;
  for (const { pos, end } of spans.sort((left, right) => left.pos - right.pos)) {
    rest += `${text.slice(at, pos)} `;
    at = Math.max(at, end);
  }
  return !/^(?:[ \t\n;&|!]|\\\n|#[^\n]*)*$/.test(rest + text.slice(at));
}

interface Span {
  readonly pos: number;
  readonly end: number;
}

function collect(node: SyntaxNode, spans: Span[]): void {
  if (node.type === "Command") spans.push(...partsOf(node));
  else forEachChild(node, (child) => collect(child, spans));
}

function partsOf(command: Command): Span[] {
  return [...command.prefix, ...(command.name === undefined ? [] : [command.name]), ...command.suffix];
}
