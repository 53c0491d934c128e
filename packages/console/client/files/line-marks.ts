import { Chunk } from "@codemirror/merge";
import {
  type EditorState,
  type Extension,
  RangeSet,
  RangeSetBuilder,
  StateEffect,
  StateField,
  Text,
} from "@codemirror/state";
import { type EditorView, GutterMarker, gutter } from "@codemirror/view";

/** Sets the lines that runs wrote, counted from 1. */
export const setRunLines = StateEffect.define<readonly number[]>();
/** Sets the text that the user's own edits are compared with. */
export const setSavedText = StateEffect.define<string>();

/** Draws a bar beside each line that a run wrote, and a different one beside unsaved lines. */
export function lineMarks(saved: string): Extension {
  return [
    runLines,
    savedText.init(() => textOf(saved)),
    ownLines,
    gutter({
      class: "cm-lineMarks",
      markers: (view: EditorView) => [view.state.field(ownLines), view.state.field(runLines)],
      lineMarkerChange: (update) => update.docChanged,
    }),
  ];
}

/** Returns the number of unsaved lines. */
export function ownLineCount(state: EditorState): number {
  return state.field(ownLines).size;
}

class LineMark extends GutterMarker {
  override readonly elementClass: string;

  constructor(elementClass: string) {
    super();
    this.elementClass = elementClass;
  }
}

const RUN = new LineMark("by-run");
const OWN = new LineMark("by-you");

/** Maps the marked lines when lines above them are added or removed. */
const runLines = StateField.define<RangeSet<GutterMarker>>({
  create: () => RangeSet.empty,
  update: (marks, transaction) => {
    const set = transaction.effects.findLast((effect) => effect.is(setRunLines));
    if (set === undefined) return marks.map(transaction.changes);
    const { doc } = transaction.state;
    const lines = (set.value as readonly number[]).filter((line) => line <= doc.lines);
    return marked(
      lines.map((line) => doc.line(line).from),
      RUN,
    );
  },
});

const savedText = StateField.define<Text>({
  create: () => Text.empty,
  update: (text, { effects }) => {
    const set = effects.findLast((effect) => effect.is(setSavedText));
    return set === undefined ? text : textOf(String(set.value));
  },
});

/** Splits lines at the line ends that the editor counts. */
function textOf(text: string): Text {
  return Text.of(text.split(/\r\n?|\n/));
}

const ownLines = StateField.define<RangeSet<GutterMarker>>({
  create: () => RangeSet.empty,
  update: (marks, { docChanged, effects, state }) =>
    docChanged || effects.some((effect) => effect.is(setSavedText)) ? differing(state) : marks,
});

function differing(state: EditorState): RangeSet<GutterMarker> {
  const { doc } = state;
  const starts: number[] = [];
  for (const { fromB, toB } of Chunk.build(state.field(savedText), doc, { scanLimit: SCAN_LIMIT }))
    for (let at = fromB; at < toB && at <= doc.length; at = doc.lineAt(at).to + 1)
      starts.push(doc.lineAt(at).from);
  return marked(starts, OWN);
}

function marked(starts: readonly number[], marker: GutterMarker): RangeSet<GutterMarker> {
  const builder = new RangeSetBuilder<GutterMarker>();
  for (const start of new Set([...starts].sort((a, b) => a - b))) builder.add(start, start, marker);
  return builder.finish();
}

/** Beyond this many differences, the whole text counts as changed, so that typing stays responsive. */
const SCAN_LIMIT = 500;
