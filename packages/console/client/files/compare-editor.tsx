import { MergeView, unifiedMergeView } from "@codemirror/merge";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { useEffect, useRef } from "preact/hooks";
import { isNarrow } from "../parts/is-narrow.js";
import { editorSetup } from "./editor-setup.js";
import type { OpenFile } from "./open-file.js";

/**
 * Shows the content on disk beside the typed text, which stays editable. Where there is no room for two, in one column.
 */
export function CompareEditor({ file }: { readonly file: OpenFile }) {
  const place = useRef<HTMLDivElement>(null);
  const isOneColumn = isNarrow.value;
  useEffect(() => {
    const now = file.onDisk.peek();
    const parent = place.current;
    if (parent === null || typeof now !== "object") return undefined;
    const comparing = { file, now: now.text, parent };
    const view = isOneColumn ? oneColumn(comparing) : twoColumns(comparing);
    return () => view.destroy();
  }, [isOneColumn, file.onDisk.value]);
  return (
    <>
      <div class="compare-heads">
        <span>{isOneColumn ? "On disk now in red, yours in green" : "On disk now"}</span>
        {!isOneColumn && <span>Yours</span>}
      </div>
      <div class="editor-place compare" ref={place} />
    </>
  );
}

interface Comparing {
  readonly file: OpenFile;
  /** The text on disk. */
  readonly now: string;
  readonly parent: HTMLElement;
}

function twoColumns({ file, now, parent }: Comparing): MergeView {
  return new MergeView({
    a: { doc: now, extensions: [editorSetup(file.path), EditorState.readOnly.of(true)] },
    b: { doc: file.text.peek(), extensions: [editorSetup(file.path), keepTyped(file)] },
    parent,
    revertControls: "a-to-b",
    renderRevertControl,
  });
}

function oneColumn({ file, now, parent }: Comparing): EditorView {
  return new EditorView({
    doc: file.text.peek(),
    parent,
    extensions: [
      editorSetup(file.path),
      keepTyped(file),
      unifiedMergeView({ original: now, mergeControls: false }),
    ],
  });
}

function keepTyped(file: OpenFile): Extension {
  return EditorView.updateListener.of((update) => {
    if (update.docChanged) file.text.value = update.state.doc.toString();
  });
}

function renderRevertControl(): HTMLElement {
  const control = document.createElement("button");
  control.type = "button";
  control.className = "take";
  control.textContent = "→";
  control.title = "Take these lines from the disk";
  control.ariaLabel = control.title;
  return control;
}
