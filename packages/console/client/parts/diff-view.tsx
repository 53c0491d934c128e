import type { ChangeSummary } from "@haft/core";
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { DiffTable, type Folding } from "./diff-table.js";
import { Icon } from "./icon.js";
import { isNarrow } from "./is-narrow.js";
import { linesOf } from "./parse-diff.js";
import { VisibleText } from "./visible-text.js";

/** The number of added and removed lines. */
export function DiffSize({ changes }: { readonly changes: readonly ChangeSummary[] }) {
  const { added, removed } = useMemo(() => linesOf(changes), [changes]);
  return (
    <>
      {added > 0 && <span class="num plus">+{added}</span>}
      {removed > 0 && <span class="num minus">−{removed}</span>}
    </>
  );
}

export interface ChangeDiffProps {
  readonly change: ChangeSummary;
  readonly note?: string | undefined;
  readonly isSplit?: boolean;
  readonly folding?: Folding | undefined;
  /** Set in a narrow panel: inline, without a choice of layouts. */
  readonly isCompact?: boolean;
}

const VERBS = { create: "Create", modify: "Change", delete: "Delete", move: "Move" } as const;

/** Renders one change in a box with its path, its size, and a switch between both layouts. */
export function ChangeDiff({ change, note, isSplit = false, folding, isCompact = false }: ChangeDiffProps) {
  const split = useSignal(isSplit && change.kind === "modify");
  return (
    <div class="diffbox">
      <div class="diffbox-head">
        <Icon name="file" />
        <code class="cut">
          {change.from !== undefined && <VisibleText text={`${change.from} → `} />}
          <VisibleText text={change.path} />
        </code>
        {change.kind !== "modify" && <span class="chip plain">{VERBS[change.kind]}</span>}
        <DiffSize changes={[change]} />
        <span class="grow" />
        {note !== undefined && <span class="faint">{note}</span>}
        {/* Two columns need room; a phone shows every line inline. */}
        {!isCompact && !isNarrow.value && (
          <div class="seg" role="group" aria-label="Layout">
            <button type="button" aria-pressed={split.value} onClick={() => (split.value = true)}>
              Side by side
            </button>
            <button type="button" aria-pressed={!split.value} onClick={() => (split.value = false)}>
              Inline
            </button>
          </div>
        )}
      </div>
      <DiffTable
        diff={change.diff ?? ""}
        path={change.path}
        isSplit={split.value && !isNarrow.value}
        folding={folding}
      />
    </div>
  );
}
