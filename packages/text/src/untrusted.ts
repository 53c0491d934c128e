/** Wraps foreign text in a marker: data for a model, never instructions. Nothing in the text can close the marker. */
export function untrusted(source: string, text: string): string {
  return `<untrusted source="${attribute(source)}">\n${text.replace(MARK, neutral)}\n</untrusted>`;
}

/** The marker in any spelling that a reader might accept. */
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
