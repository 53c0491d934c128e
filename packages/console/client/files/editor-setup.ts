import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import type { Extension } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { shownText } from "../parts/visible-text.js";
import { languageOf, SYNTAX_CLASSES } from "./syntax.js";

/** The setup shared by all editors: line numbers, theme colours, undo, search. */
export function editorSetup(path: string): Extension[] {
  const nonce = document.querySelector<HTMLMetaElement>("meta[name=csp-nonce]")?.content ?? "";
  return [
    EditorView.cspNonce.of(nonce),
    lineNumbers(),
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    highlightSpecialChars(),
    EditorView.lineWrapping,
    keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, indentWithTab]),
    EditorView.contentAttributes.of({ tabindex: "0", "aria-label": `Content of ${shownText(path)}` }),
    syntaxHighlighting(SYNTAX_CLASSES),
    LOOK,
    languageOf(path) ?? [],
  ];
}

const LOOK = EditorView.theme({
  "&": { height: "100%", fontSize: "var(--text-sm)", backgroundColor: "var(--surface)", color: "var(--ink)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--font-mono)", lineHeight: "1.6" },
  ".cm-gutters": { backgroundColor: "var(--surface)", color: "var(--ink-3)", border: "none" },
  ".cm-activeLine": { backgroundColor: "var(--sunken)" },
  ".cm-activeLineGutter": { backgroundColor: "var(--sunken)", color: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--accent-tint) !important",
  },
  ".cm-panels": { backgroundColor: "var(--canvas)", color: "var(--ink)" },
  ".cm-changedLine": { backgroundColor: "var(--add-row) !important" },
  "&.cm-merge-a .cm-changedLine": { backgroundColor: "var(--del-row) !important" },
  ".cm-deletedChunk": { backgroundColor: "var(--del-row)" },
});
