import type { EditorState } from "@codemirror/state";
import { EditorView, type ViewUpdate } from "@codemirror/view";
import { useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { route } from "../state/route.js";
import { editorSetup } from "./editor-setup.js";
import { lineMarks, ownLineCount, setRunLines, setSavedText } from "./line-marks.js";
import type { OpenFile } from "./open-file.js";

export function CodeEditor({ file }: { readonly file: OpenFile }) {
  const place = useRef<HTMLDivElement>(null);
  const shown = useRef<EditorView>(undefined);
  const version = file.version.value;
  useEffect(() => {
    if (place.current === null) return undefined;
    const view = new EditorView({
      doc: file.text.peek(),
      parent: place.current,
      extensions: [
        editorSetup(file.path),
        lineMarks(savedIn(file)),
        EditorView.updateListener.of((update) => follow(file, update)),
      ],
    });
    shown.current = view;
    view.dispatch({
      effects: [setSavedText.of(savedIn(file)), setRunLines.of(runLinesIn(file))],
    });
    scrollToLine(view);
    return () => view.destroy();
  }, [version]);
  useSignalEffect(() => {
    const lines = setRunLines.of(file.runLines.value);
    const saved = setSavedText.of(file.content.value === undefined ? "" : savedIn(file));
    // Line numbers refer to the saved text; existing marks move with the edits.
    shown.current?.dispatch({ effects: file.isDirty.peek() ? [saved] : [saved, lines] });
  });
  return <div class="editor-place" ref={place} />;
}

function follow(file: OpenFile, update: ViewUpdate): void {
  if (update.docChanged) file.text.value = update.state.doc.toString();
  if (update.docChanged || update.selectionSet) file.caret.value = caretIn(update.state);
  file.ownLines.value = ownLineCount(update.state);
}

function savedIn(file: OpenFile): string {
  const content = file.content.peek();
  return content?.kind === "text" ? content.text : "";
}

function runLinesIn(file: OpenFile): readonly number[] {
  return file.isDirty.peek() ? [] : file.runLines.peek();
}

/** The line named in the address. */
function scrollToLine(view: EditorView): void {
  const { line } = route.peek();
  if (line === undefined || line > view.state.doc.lines) return;
  const { from } = view.state.doc.line(line);
  view.dispatch({
    selection: { anchor: from },
    effects: EditorView.scrollIntoView(from, { y: "center" }),
  });
}

function caretIn({ doc, selection }: EditorState): { readonly line: number; readonly column: number } {
  const { number, from } = doc.lineAt(selection.main.head);
  return { line: number, column: selection.main.head - from + 1 };
}
