import { plural } from "../parts/duration.js";
import { Icon } from "../parts/icon.js";
import { KeyHint } from "../parts/key-hint.js";
import { VisibleText } from "../parts/visible-text.js";
import type { OpenFile } from "./open-file.js";

/** Stays until the user answers; until then, nothing is lost. */
export function ChangedBanner({ file }: { readonly file: OpenFile }) {
  const now = file.onDisk.value;
  if (now === undefined) return null;
  const isDeleted = now === "deleted";
  const isText = typeof now === "object";
  return (
    <div class="banner" role="alert">
      <Icon name="swap" />
      <span class="grow">
        <b>{isDeleted ? "Deleted on disk" : "Changed on disk"}</b>
        {!isDeleted && file.changedBy.value !== undefined && (
          <>
            {" "}
            <VisibleText text={file.changedBy.value} />
          </>
        )}
        {now === "unshown" && " into a file that cannot be shown as text"}
        {file.isDirty.value ? `, while you have ${unsavedWords(file)}.` : ", since you opened it."} Nothing is
        lost until you choose.
      </span>
      {!isDeleted && (
        <button type="button" class="btn" onClick={() => file.reload()}>
          Reload
        </button>
      )}
      {(isText || isDeleted) && (
        <button type="button" class="btn" onClick={() => file.keepMine()}>
          Keep mine
        </button>
      )}
      {isText && (
        <button
          type="button"
          class="btn primary"
          onClick={() => (file.isComparing.value = !file.isComparing.value)}
        >
          {file.isComparing.value ? "Stop comparing" : "Compare"} <KeyHint keys="Alt D" />
        </button>
      )}
    </div>
  );
}

function unsavedWords(file: OpenFile): string {
  return file.ownLines.value === 0 ? "unsaved changes" : plural(file.ownLines.value, "unsaved line");
}

/** Stays until the file is saved, reloaded, or edited on top of the text on disk. */
export function SaveProblem({ file }: { readonly file: OpenFile }) {
  const words = file.saveProblem.value;
  if (words === undefined) return null;
  return (
    <p class="callout is-failed" role="alert">
      <Icon name="failed" />
      <VisibleText text={words} />
    </p>
  );
}

/** Shows the path of the file and the legend of the bars beside its lines. */
export function PathBar({ file }: { readonly file: OpenFile }) {
  const parts = file.path.split("/");
  return (
    <div class="pathbar">
      <span class="path cut">
        {parts.map((part, index) => (
          <>
            {index > 0 && <Icon key={`${index}-`} name="chev" class="i-s" />}
            <span key={index} class={index === parts.length - 1 ? "last" : ""}>
              <VisibleText text={part} />
            </span>
          </>
        ))}
      </span>
      <span class="grow" />
      {file.runLines.value.length > 0 && (
        <span class="row">
          <span class="line-key by-run" />
          written by runs
        </span>
      )}
      {file.ownLines.value > 0 && (
        <span class="row">
          <span class="line-key by-you" />
          your edit
        </span>
      )}
    </div>
  );
}

export function StatusBar({ file }: { readonly file: OpenFile }) {
  const content = file.content.value;
  return (
    <div class="statusbar">
      {content?.kind === "text" && (
        <span class="desk">
          Line {file.caret.value.line}, column {file.caret.value.column}
        </span>
      )}
      {content?.kind === "text" && (
        <span>
          {content.format.toUpperCase()}, {content.text.includes("\r\n") ? "CRLF" : "LF"}
        </span>
      )}
      <span class="grow" />
      <span>Saves are journalled and can be undone</span>
    </div>
  );
}
