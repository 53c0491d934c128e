import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useRef } from "preact/hooks";
import { Icon } from "../parts/icon.js";
import { ListSkeleton } from "../parts/list-skeleton.js";
import { Problem } from "../parts/problem.js";
import { VirtualList } from "../parts/virtual-list.js";
import { VisibleText } from "../parts/visible-text.js";
import { go, route } from "../state/route.js";
import { isConnected } from "../state/stream.js";
import { approvals, workspace } from "../state/workspace.js";
import { moveInTree, ROW_HEIGHT } from "./tree-keys.js";
import { changedRows, type Row, rowsBelow } from "./tree-rows.js";
import { changed, expanded, folders, fresh, marks, reloadTree, rootProblem, toggle } from "./tree-state.js";

/** Shows the files of the workspace. Refreshes itself when anyone changes them. */
export function FileTree() {
  const isChangedOnly = useSignal(false);
  const box = useRef<HTMLDivElement>(null);
  const rows = isChangedOnly.value ? changedRows() : rowsBelow("", 0);
  const ignored = (folders.value.get("") ?? []).filter((entry) => entry.ignored).length;
  const isLoaded = folders.value.has("");
  return (
    <aside class="side" aria-label="Files">
      <div class="panel-head">
        <h2>Files</h2>
        <span class="grow" />
        <div class="seg" role="group" aria-label="Which files">
          <button
            type="button"
            aria-pressed={!isChangedOnly.value}
            onClick={() => (isChangedOnly.value = false)}
          >
            All
          </button>
          <button
            type="button"
            aria-pressed={isChangedOnly.value}
            onClick={() => (isChangedOnly.value = true)}
          >
            Changed {changed.value.length}
          </button>
        </div>
      </div>
      <div class="scroll" ref={box}>
        {!isLoaded && rootProblem.value === undefined && <ListSkeleton />}
        {!isLoaded && rootProblem.value !== undefined && <RootProblem words={rootProblem.value} />}
        {isLoaded && rows.length === 0 && (
          <p class="empty">
            {isChangedOnly.value ? "No file was changed in the last day." : "This folder is empty."}
          </p>
        )}
        {rows.length > 0 && <Rows rows={rows} box={box} />}
      </div>
      <div class="side-foot">
        <Icon name={isConnected.value ? "check" : "waiting"} class="i-s" />
        <span class="grow cut">{isConnected.value ? "Up to date" : "Waiting for the server"}</span>
        {ignored > 0 && <span>{ignored.toLocaleString("en-US")} ignored</span>}
      </div>
    </aside>
  );
}

function RootProblem({ words }: { readonly words: string }) {
  return (
    <div class="empty" role="alert">
      <p>The folder cannot be read.</p>
      <Problem text={words} />
      <button type="button" class="btn" onClick={reloadTree}>
        Try again
      </button>
    </div>
  );
}

interface RowsProps {
  readonly rows: readonly Row[];
  /** The scrolling element. */
  readonly box: RefObject<HTMLDivElement | null>;
}

/** Renders only the rows near the screen, because a folder may have thousands. */
function Rows({ rows, box }: RowsProps) {
  const selected = route.value.screen === "files" ? route.value.item : undefined;
  const focusable = rows.some(({ path }) => path === selected) ? selected : rows[0]?.path;
  const waiting = withFolders(
    (approvals.value ?? []).flatMap(({ request }) => request.changes.map(({ path }) => path)),
  );
  const changed = withFolders([...marks.value.keys()]);
  return (
    <div
      class="tree"
      role="tree"
      aria-label={`Files of ${workspace.value?.name ?? ""}`}
      onKeyDown={(event) => moveInTree(event, rows, box.current)}
    >
      <VirtualList
        box={box}
        items={rows}
        keyOf={({ path }) => path}
        estimate={ROW_HEIGHT}
        render={(row) => (
          <TreeRow
            row={row}
            isSelected={row.path === selected}
            isFocusable={row.path === focusable}
            isWaiting={waiting.has(row.path)}
            isChanged={changed.has(row.path)}
          />
        )}
      />
    </div>
  );
}

/** A closed folder shows the marks of its content. */
function withFolders(paths: readonly string[]): ReadonlySet<string> {
  return new Set(
    paths.flatMap((path) => path.split("/").map((_, index, parts) => parts.slice(0, index + 1).join("/"))),
  );
}

const MARKS = { create: "A", modify: "M", delete: "D", move: "R" } as const;
const MARK_WORDS = { create: "added", modify: "modified", delete: "deleted", move: "moved" } as const;

interface TreeRowProps {
  readonly row: Row;
  readonly isSelected: boolean;
  readonly isFocusable: boolean;
  readonly isWaiting: boolean;
  readonly isChanged: boolean;
}

function TreeRow({ row, isSelected, isFocusable, isWaiting, isChanged }: TreeRowProps) {
  const isFolder = row.type === "directory";
  const isOpen = expanded.value.has(row.path);
  const mark = marks.value.get(row.path);
  const isHiding = isFolder && !isOpen;
  const looks = [
    "node",
    row.ignored && "ignored",
    isChanged && (mark || isHiding) && "dirty",
    fresh.value.has(row.path) && "fresh",
  ];
  return (
    <div
      class={looks.filter(Boolean).join(" ")}
      role="treeitem"
      aria-level={row.depth + 1}
      aria-selected={isSelected}
      aria-setsize={row.siblings}
      aria-posinset={row.place}
      aria-expanded={isFolder ? isOpen : undefined}
      tabIndex={isFocusable ? 0 : -1}
      data-path={row.path}
      style={{ "--d": String(row.depth) }}
      onClick={() => open(row)}
    >
      {isFolder ? <Icon name="chev" class={`tw ${isOpen ? "open" : ""}`} /> : <span class="tw" />}
      <Icon name={isFolder ? "folder" : "file"} />
      <span class="name">
        <VisibleText text={row.name} />
      </span>
      {isWaiting && (isHiding || !isFolder) && (
        <span class="dot is-waiting" title="A change waits for approval" />
      )}
      {isChanged && isHiding && <span class="dot in-folder" title="Contains changed files" />}
      {mark !== undefined && (
        <span class={`mark ${MARKS[mark.kind].toLowerCase()}`} title={MARK_WORDS[mark.kind]}>
          {MARKS[mark.kind]}
          <span class="sr"> {MARK_WORDS[mark.kind]}</span>
        </span>
      )}
    </div>
  );
}

function open({ type, path }: Pick<Row, "type" | "path">): void {
  if (type === "directory") toggle(path);
  else go({ screen: "files", item: path });
}
