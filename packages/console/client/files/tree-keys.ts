import type { Row } from "./tree-rows.js";

/** The assumed height of a row that was not rendered yet. */
export const ROW_HEIGHT = 26;

/** Makes the tree a single tab stop; the arrow keys move inside it. */
export function moveInTree(event: KeyboardEvent, rows: readonly Row[], box: HTMLElement | null): void {
  const element = (event.target as HTMLElement).closest<HTMLElement>("[role=treeitem]");
  const at = rows.findIndex(({ path }) => path === element?.dataset.path);
  const row = rows[at];
  if (element === null || row === undefined || box === null) return;
  const isOpen = element.getAttribute("aria-expanded");
  const focus = (index: number) => focusRow(box, rows, index);
  const moves: Record<string, () => void> = {
    ArrowDown: () => focus(at + 1),
    ArrowUp: () => focus(at - 1),
    ArrowRight: () => (isOpen === "false" ? element.click() : focus(at + 1)),
    ArrowLeft: () => (isOpen === "true" ? element.click() : focus(parentOf(rows, at))),
    Home: () => focus(0),
    End: () => focus(rows.length - 1),
    Enter: () => element.click(),
    " ": () => element.click(),
  };
  const move = moves[event.key];
  if (move === undefined) return;
  event.preventDefault();
  move();
}

function parentOf(rows: readonly Row[], at: number): number {
  const depth = rows[at]?.depth ?? 0;
  return rows.slice(0, at).findLastIndex((row) => row.depth < depth);
}

/** A row far from the screen is rendered only once the tree has scrolled to it. */
function focusRow(box: HTMLElement, rows: readonly Row[], index: number): void {
  const path = rows[index]?.path;
  if (path === undefined) return;
  const find = () =>
    [...box.querySelectorAll<HTMLElement>("[role=treeitem]")].find((each) => each.dataset.path === path);
  const drawn = find();
  if (drawn !== undefined) {
    drawn.focus();
    return;
  }
  box.scrollTop = index * ROW_HEIGHT - box.clientHeight / 2;
  const watcher = new MutationObserver(() => {
    const found = find();
    if (found === undefined) return;
    watcher.disconnect();
    found.focus();
  });
  watcher.observe(box, { childList: true, subtree: true });
}
