import { costOf } from "@haft/agent";
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { count, duration, money, plural } from "../parts/duration.js";
import { Link } from "../parts/link.js";
import { StatusChip } from "../parts/status.js";
import { useNow } from "../parts/use-now.js";
import { VisibleText } from "../parts/visible-text.js";
import { withoutFolders } from "../parts/without-folders.js";
import { runLook, runWords, statusOf } from "../session/run-words.js";
import type { CallView } from "../state/call-view.js";
import { route } from "../state/route.js";
import type { RunView } from "../state/run-view.js";
import { view } from "../state/workspace.js";
import { ChangesTab } from "./changes-tab.js";
import { LogTab } from "./log-tab.js";
import { Playback } from "./playback.js";
import { ReplayBar } from "./replay-bar.js";
import { ReplayTab } from "./replay-tab.js";
import { RunList } from "./run-list.js";
import { Timeline } from "./timeline.js";
import { TurnCharts } from "./turn-charts.js";

const TABS = ["Timeline", "Replay", "Changes", "Log"] as const;

export function HistoryScreen() {
  const run = view.value;
  if (run === undefined)
    return (
      <>
        <div class="phone-only tree-main">
          <RunList />
        </div>
        <p class="empty desk-only">Choose a run to see what it did, how long it took and what it changed.</p>
      </>
    );
  return <RunHistory key={run.runId} run={run} />;
}

function RunHistory({ run }: { readonly run: RunView }) {
  const tab = useSignal<(typeof TABS)[number]>(route.value.tab === "changes" ? "Changes" : "Timeline");
  const playback = useMemo(() => new Playback(run), [run]);
  const state = run.state.value;
  const said = run.entries.value.find((entry) => entry.kind === "said");
  return (
    <>
      <div class="run-head">
        <h1 class="cut">
          <VisibleText text={(said?.kind === "said" ? said.text.split("\n")[0] : undefined) ?? "Run"} />
        </h1>
        {state.status !== "idle" && (
          <StatusChip look={runLook(statusOf(state), state.ended?.reason)}>
            {runWords(statusOf(state), state.ended?.reason)}
          </StatusChip>
        )}
        <span class="grow" />
        <div class="seg history-tabs" role="group" aria-label="View">
          {TABS.map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={tab.value === name}
              onClick={() => (tab.value = name)}
            >
              {name}
            </button>
          ))}
        </div>
        <Link class="btn" screen="run" item={run.runId}>
          Open
        </Link>
      </div>
      {tab.value === "Replay" ? (
        <ReplayTab playback={playback} />
      ) : (
        <Tab playback={playback} name={tab.value} />
      )}
    </>
  );
}

interface TabProps {
  readonly playback: Playback;
  readonly name: (typeof TABS)[number];
}

function Tab({ playback, name }: TabProps) {
  const { run } = playback;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={name}>
      {name === "Timeline" && (
        <>
          <Figures run={run} />
          <Timeline playback={playback} />
          <ReplayBar playback={playback} />
          <TurnCharts run={run} />
        </>
      )}
      {name === "Changes" && <ChangesTab run={run} />}
      {name === "Log" && <LogTab run={run} />}
    </div>
  );
}

function Figures({ run }: { readonly run: RunView }) {
  const state = run.state.value;
  const calls = [...run.calls.values()].map((call) => call.value);
  const now = useNow(calls.some(({ look }) => look === "waiting"));
  const waited = waitedMs(calls, now);
  const failed = calls.filter(({ look }) => look === "failed").length;
  const denied = calls.filter(({ look }) => look === "denied").length;
  const files = new Set(calls.flatMap(({ effects }) => withoutFolders(effects).map(({ path }) => path))).size;
  const { prices } = state.limits;
  const perStep = (value: number) => value / Math.max(1, state.step);
  const figures = [
    ["At work", duration(run.totals.value.activeMs), plural(state.step, "step")],
    ["Waited for you", waited < 1_000 ? "none" : duration(waited), ""],
    ["Calls", String(calls.length), `${failed} failed, ${denied} not done`],
    ["Files", String(files), "changed"],
    ["Tokens", count(run.tokens.value), `${count(Math.round(perStep(run.tokens.value)))} a step`],
    ...(prices === undefined
      ? []
      : [
          [
            "Cost",
            money(costOf(run.totals.value, prices)),
            `${money(perStep(costOf(run.totals.value, prices)))} a step`,
          ] as const,
        ]),
  ] as const;
  return (
    <dl class="figures">
      {figures.map(([name, value, note]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value}
            <small>{note}</small>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Returns the time during which at least one call waited for a person. */
function waitedMs(calls: readonly CallView[], now: number): number {
  const spans = calls
    .flatMap(({ waits }) => waits)
    .map(({ from, to }) => ({ from: Date.parse(from), to: to === undefined ? now : Date.parse(to) }))
    .sort((a, b) => a.from - b.from);
  let until = 0;
  let sum = 0;
  for (const { from, to } of spans) {
    sum += Math.max(0, to - Math.max(from, until));
    until = Math.max(until, to);
  }
  return sum;
}
