import { between, duration, roundDuration } from "../parts/duration.js";
import { Icon } from "../parts/icon.js";
import { StatusGlyph } from "../parts/status.js";
import { useNow } from "../parts/use-now.js";
import { VisibleText } from "../parts/visible-text.js";
import { leftQueueAt, mainArgument } from "../session/call-words.js";
import type { CallView } from "../state/call-view.js";
import { turnsOf } from "../state/run-turns.js";
import type { RunView } from "../state/run-view.js";
import type { Playback } from "./playback.js";

/**
 * Draws calls as bars: solid for work, amber hatching for waiting for a person, grey hatching for waiting for another
 * call.
 */
export function Timeline({ playback }: { readonly playback: Playback }) {
  const { run } = playback;
  const { lastAt } = run.state.value;
  const calls = [...run.calls.values()].map((call) => call.value);
  const start = Date.parse(run.log[0]?.at ?? lastAt);
  const now = useNow(calls.some(({ settledAt }) => settledAt === undefined));
  const ends = calls.map(({ settledAt }) => (settledAt === undefined ? now : Date.parse(settledAt)));
  const end = ends.reduce((most, each) => Math.max(most, each), Math.max(start + 1, Date.parse(lastAt) || 0));
  const scale = { start, span: end - start };
  return (
    <section class="block" aria-label="Calls over time">
      <div class="block-head">
        <h2>Calls</h2>
        <Legend />
      </div>
      {calls.length === 0 ? (
        <p class="faint">No calls yet. Each call becomes a bar here when the model makes it.</p>
      ) : (
        <div class="gantt">
          <Ticks span={scale.span} />
          <ModelRow run={run} {...scale} />
          {calls.slice(-MAX_BARS).map((call) => (
            <Bar key={call.callId} call={call} playback={playback} {...scale} />
          ))}
          <Playhead playback={playback} {...scale} />
        </div>
      )}
      {calls.length > MAX_BARS && <p class="faint">Shows the newest {MAX_BARS} calls.</p>}
    </section>
  );
}

function Playhead({ playback, start, span }: RowProps & { readonly playback: Playback }) {
  const event = playback.run.log[playback.at.value - 1];
  if (event === undefined || !playback.isMoved.value) return null;
  const place = Math.min(1, Math.max(0, (Date.parse(event.at) - start) / span));
  return <div class="playhead" style={{ "--p": String(place) }} aria-hidden="true" />;
}

const MAX_BARS = 300;

function Legend() {
  return (
    <div class="legend" aria-hidden="true">
      <span>
        <i class="sw model" /> model
      </span>
      <span>
        <i class="sw is-ok-bg" /> done
      </span>
      <span>
        <i class="sw is-failed-bg" /> failed
      </span>
      <span>
        <i class="sw hatch" /> waits for you
      </span>
      <span>
        <i class="sw hatch lock" /> waits for a call
      </span>
    </div>
  );
}

/** Draws times at round numbers, with a line through all rows. */
function Ticks({ span }: { readonly span: number }) {
  const step = STEPS_MS.find((each) => span / each <= 7) ?? span / 6;
  const ticks = Array.from({ length: Math.floor(span / step) + 1 }, (_, at) => at * step);
  return (
    <div class="g head" aria-hidden="true">
      <span />
      <span class="lane">
        {ticks.map((tick) => (
          <span key={tick} class="tick" style={{ "--x": `${(100 * tick) / span}%` }}>
            {tick === 0 ? "0" : roundDuration(tick)}
          </span>
        ))}
      </span>
      <span />
    </div>
  );
}

const STEPS_MS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000,
  600_000, 1_800_000, 3_600_000, 7_200_000, 14_400_000, 43_200_000, 86_400_000,
];

interface RowProps {
  readonly start: number;
  readonly span: number;
}

/** Draws when the model was working on a turn. */
function ModelRow({ run, start, span }: RowProps & { readonly run: RunView }) {
  const turns = turnsOf(run.log);
  return (
    <div class="g">
      <span>
        <Icon name="dots" class="st" />
        <span class="tool">model</span>
        <span class="cut faint">reads, thinks, writes</span>
      </span>
      <span class="lane" aria-hidden="true">
        {turns.slice(-MAX_BARS).map(({ from, ms }) => (
          <i
            key={from}
            class="bar model"
            style={{ "--x": `${(100 * (from - start)) / span}%`, "--w": `${(100 * ms) / span}%` }}
          />
        ))}
      </span>
      <span class="dur">{duration(turns.reduce((sum, { ms }) => sum + ms, 0))}</span>
    </div>
  );
}

interface BarProps extends RowProps {
  readonly call: CallView;
  readonly playback: Playback;
}

function Bar({ call, playback, start, span }: BarProps) {
  const { proposedAt, startedAt, settledAt, waits } = call;
  const over = settledAt ?? new Date(start + span).toISOString();
  // A call that never started ends where its wait did.
  const began = startedAt ?? (waits.length === 0 ? proposedAt : over);
  const first = leftQueueAt(call) ?? began;
  const place = (from: string, to: string) => ({
    "--x": `${(100 * (Date.parse(from) - start)) / span}%`,
    "--w": `${(100 * between(from, to)) / span}%`,
  });
  const queued = between(proposedAt, first);
  return (
    <div class={`g is-${call.look === "proposed" ? "running" : call.look}`}>
      <button
        type="button"
        class="bar-name"
        title="Move the replay here"
        onClick={() => playback.moveToCall(call.callId)}
      >
        <StatusGlyph look={call.look} />
        <span class="tool">
          <VisibleText text={call.tool} />
        </span>
        <span class="cut faint">
          <VisibleText text={mainArgument(call.args)} />
        </span>
      </button>
      <span class="lane" aria-hidden="true">
        {queued > span / 200 && <i class="bar lock" style={place(proposedAt, first)} />}
        {(call.look !== "waiting" || startedAt !== undefined) && <i class="bar" style={place(began, over)} />}
        {waits.map(({ from, to }) => (
          <i key={from} class="bar wait" style={place(from, to ?? over)} />
        ))}
      </span>
      <span class="dur">{duration(Math.max(between(proposedAt, over), call.ms ?? 0))}</span>
    </div>
  );
}
