/** Foreign text, marked as such: data for a model, never instructions. Nothing in it can end the mark. */
export function untrusted(source: string, text: string): string {
  return `<untrusted source="${attribute(source)}">\n${text.replace(MARK, neutral)}\n</untrusted>`;
}

/** The mark in any spelling that a reader might take for it. */
const MARK = /<(?=[\s/\\]{0,8}untrusted)/gi;

function neutral(): string {
  return "&lt;";
}

function attribute(text: string): string {
  return text.replace(/[&"<>\s]/g, (character) => ESCAPES.get(character) ?? " ");
}

const ESCAPES = new Map([
  ["&", "&amp;"],
  ['"', "&quot;"],
  ["<", "&lt;"],
  [">", "&gt;"],
]);
