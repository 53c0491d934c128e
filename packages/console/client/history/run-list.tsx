import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { RunSummary } from "../../src/protocol.js";
import { ago, dayOf, plural } from "../parts/duration.js";
import { Icon } from "../parts/icon.js";
import { Link } from "../parts/link.js";
import { ListSkeleton } from "../parts/list-skeleton.js";
import { StatusGlyph } from "../parts/status.js";
import { VisibleText } from "../parts/visible-text.js";
import { runLook, runWords, statusIn } from "../session/run-words.js";
import { get } from "../state/api.js";
import { route } from "../state/route.js";
import { runs } from "../state/workspace.js";

/** Lists all runs of the workspace by day, newest first. Search covers tasks, arguments, paths and results. */
export function RunList() {
  const sought = useSignal("");
  const mentioned = useMentioned(sought.value);
  const words = sought.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = (runs.value ?? []).filter(
    ({ task, runId }) =>
      words.every((word) => task.toLowerCase().includes(word) || runId.includes(word)) ||
      mentioned.has(runId),
  );
  const days = [...new Set(found.map(({ lastAt }) => dayOf(lastAt)))];
  return (
    <aside class="side" aria-label="Runs">
      <div class="panel-head search-head">
        <label class="search grow">
          <Icon name="search" class="i-s" />
          <span class="sr">Search runs</span>
          <input
            type="search"
            placeholder="Search tasks, files, output"
            value={sought.value}
            onInput={({ currentTarget }) => (sought.value = currentTarget.value)}
          />
        </label>
      </div>
      <div class="scroll">
        {runs.value === undefined && <ListSkeleton />}
        {runs.value !== undefined && found.length === 0 && <NoRuns isSearch={words.length > 0} />}
        {days.map((day) => (
          <section key={day} aria-label={day}>
            <h2 class="day">{day}</h2>
            <ul class="runs">
              {found
                .filter(({ lastAt }) => dayOf(lastAt) === day)
                .map((run) => (
                  <RunRow key={run.runId} run={run} />
                ))}
            </ul>
          </section>
        ))}
      </div>
      <div class="side-foot">{plural(runs.value?.length ?? 0, "run")} in this workspace</div>
    </aside>
  );
}

function NoRuns({ isSearch }: { readonly isSearch: boolean }) {
  if (isSearch) return <p class="empty">No run mentions that.</p>;
  return (
    <p class="empty">
      No runs yet. Start one and it appears here.
      <Link class="btn" screen="run">
        New run <kbd>C</kbd>
      </Link>
    </p>
  );
}

/** Finds the runs that mention the words. Asks the server once typing pauses. */
function useMentioned(words: string): ReadonlySet<string> {
  const found = useSignal<ReadonlySet<string>>(new Set());
  useEffect(() => {
    found.value = new Set();
    if (words.trim() === "") return undefined;
    const timer = window.setTimeout(async () => {
      const ids = await get<readonly string[]>("find", { words }).catch(() => []);
      found.value = new Set(ids);
    }, 200);
    return () => window.clearTimeout(timer);
  }, [words]);
  return found.value;
}

function RunRow({ run }: { readonly run: RunSummary }) {
  const facts = [
    run.status === "done" && run.reason !== "end_turn" && run.reason !== "terminated"
      ? runWords(run.status, run.reason).toLowerCase()
      : undefined,
    plural(run.calls, "call"),
    run.files > 0 ? plural(run.files, "file") : undefined,
    run.status !== "done" && !run.isDrivenHere ? "driven elsewhere" : undefined,
  ];
  return (
    <li data-current={route.value.item === run.runId}>
      <Link class="run-link" screen="history" item={run.runId} current={route.value.item === run.runId}>
        <StatusGlyph look={runLook(statusIn(run), run.reason)} />
        <span class="cut">
          <VisibleText text={run.task.split("\n")[0] || "Untitled"} />
        </span>
        <span class="faint">{ago(run.lastAt)}</span>
        <span class="sub cut">{facts.filter(Boolean).join(", ")}</span>
      </Link>
    </li>
  );
}
