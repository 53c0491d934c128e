import { computed, effect, signal, untracked } from "@preact/signals";
import { lazy, Suspense } from "preact/compat";
import { useEffect } from "preact/hooks";
import { Icon } from "../parts/icon.js";
import { KeyHint } from "../parts/key-hint.js";
import { ListSkeleton } from "../parts/list-skeleton.js";
import { shownText, VisibleText } from "../parts/visible-text.js";
import { pathOf } from "../state/api.js";
import { go, route } from "../state/route.js";
import { reconnections } from "../state/stream.js";
import { changedFolders } from "../state/workspace.js";
import { ChangedBanner, PathBar, SaveProblem, StatusBar } from "./file-bars.js";
import { FileTree } from "./file-tree.js";
import { OpenFile } from "./open-file.js";
import { reveal } from "./tree-state.js";

const CodeEditor = lazy(() =>
  import("./code-editor.js").then(({ CodeEditor: found }) => ({ default: found })),
);
const CompareEditor = lazy(() =>
  import("./compare-editor.js").then(({ CompareEditor: found }) => ({ default: found })),
);

/** The open files of every workspace. */
const allFiles = signal<readonly OpenFile[]>([]);
/** The open files of the workspace on screen. */
const files = computed(() => allFiles.value.filter(({ workspace }) => workspace === route.value.workspace));

effect(() => {
  const { screen, item, workspace } = route.value;
  if (screen !== "files" || item === undefined || workspace === undefined) return;
  reveal(item);
  if (!files.peek().some(({ path }) => path === item))
    allFiles.value = [...allFiles.peek(), new OpenFile(item)];
});

/** The most recently viewed file of this workspace that is still open. */
export const lastFile = computed(() => {
  const { screen, item } = route.value;
  const shown = screen === "files" ? item : lastShown;
  lastShown = files.value.some(({ path }) => path === shown) ? shown : files.value.at(-1)?.path;
  return lastShown;
});
let lastShown: string | undefined;

effect(() => {
  const changed = new Set(changedFolders.value);
  for (const file of files.peek())
    if (changed.has(file.path.split("/").slice(0, -1).join("/"))) void file.check();
});

/** A reload or a closed tab would lose typed text without a word. */
addEventListener("beforeunload", (event) => {
  if (allFiles.peek().some((file) => file.isDirty.peek())) event.preventDefault();
});

/** The page received no changes while it showed another workspace or was disconnected. */
effect(() => {
  void reconnections.value;
  for (const file of files.value) void untracked(() => file.check());
});

export function FilesScreen() {
  const { item } = route.value;
  const file = files.value.find(({ path }) => path === item);
  if (file === undefined)
    return (
      <>
        <div class="phone-only tree-main">
          <FileTree />
        </div>
        <p class="empty desk-only">
          Choose a file. Changes by runs and by other programs appear as they happen.
        </p>
      </>
    );
  return (
    <>
      <Tabs current={file} />
      <ChangedBanner file={file} />
      <SaveProblem file={file} />
      <PathBar file={file} />
      <FileBody key={`${file.workspace} ${file.path}`} file={file} />
      <StatusBar file={file} />
    </>
  );
}

function Tabs({ current }: { readonly current: OpenFile }) {
  const close = (file: OpenFile) => {
    if (file.isDirty.value && !confirm(`Discard unsaved changes to ${shownText(file.path)}?`)) return;
    allFiles.value = allFiles.value.filter((each) => each !== file);
    const next = files.value.at(-1);
    if (file === current) go(next === undefined ? { screen: "files" } : { screen: "files", item: next.path });
  };
  return (
    <div class="filetabs">
      <div class="row grow tab-row">
        {files.value.map((file) => (
          <span key={file.path} class="filetab" data-current={file === current}>
            <button
              type="button"
              class="filetab-name"
              aria-current={file === current ? "page" : undefined}
              title={shownText(file.path)}
              onClick={() => go({ screen: "files", item: file.path })}
            >
              <Icon name="file" class="i-s" />
              <VisibleText text={file.path.split("/").at(-1) ?? ""} />
              {file.isDirty.value && <span class="unsaved" title="Unsaved changes" />}
            </button>
            <button
              type="button"
              class="x"
              aria-label={`Close ${shownText(file.path)}`}
              onClick={() => close(file)}
            >
              <Icon name="x" class="i-s" />
            </button>
          </span>
        ))}
      </div>
      <button
        type="button"
        class="btn save"
        disabled={!current.isDirty.value || current.isSaving.value}
        onClick={() => void current.save()}
      >
        <Icon name="disk" class="i-s" />
        Save <KeyHint keys="Mod S" />
      </button>
    </div>
  );
}

function FileBody({ file }: { readonly file: OpenFile }) {
  const content = file.content.value;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.metaKey || event.ctrlKey) && event.key === "s") void file.save();
      else if (event.altKey && event.code === "KeyD" && typeof file.onDisk.value === "object")
        file.isComparing.value = !file.isComparing.value;
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  if (file.problem.value !== undefined)
    return (
      <p class="empty">
        <VisibleText text={file.problem.value} />
      </p>
    );
  if (content === undefined) return <ListSkeleton />;
  if (content.kind === "image")
    return (
      <div class="scroll image-view">
        <img
          src={`${pathOf("image")}?path=${encodeURIComponent(file.path)}&version=${file.version.value}`}
          alt={shownText(file.path)}
        />
      </div>
    );
  if (content.kind !== "text")
    return (
      <p class="empty">
        {content.kind === "large" ? "This file is too large to show." : "This is a binary file."}
      </p>
    );
  return (
    <Suspense fallback={<ListSkeleton />}>
      {file.isComparing.value ? <CompareEditor file={file} /> : <CodeEditor file={file} />}
    </Suspense>
  );
}
