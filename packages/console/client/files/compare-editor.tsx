import { MergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { useEffect, useRef } from "preact/hooks";
import { editorSetup } from "./editor-setup.js";
import type { OpenFile } from "./open-file.js";

/** Shows the content on disk beside the typed text. The right side stays editable. */
export function CompareEditor({ file }: { readonly file: OpenFile }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const now = file.onDisk.peek();
    if (place.current === null || typeof now !== "object") return undefined;
    const view = new MergeView({
      a: { doc: now.text, extensions: [editorSetup(file.path), EditorState.readOnly.of(true)] },
      b: {
        doc: file.text.peek(),
        extensions: [
          editorSetup(file.path),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) file.text.value = update.state.doc.toString();
          }),
        ],
      },
      parent: place.current,
      revertControls: "a-to-b",
    });
    return () => view.destroy();
  }, []);
  return (
    <>
      <div class="compare-heads">
        <span>On disk now</span>
        <span>Yours</span>
      </div>
      <div class="editor-place compare" ref={place} />
    </>
  );
}
