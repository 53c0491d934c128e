import { count, duration, money } from "../parts/duration.js";
import { type Turn, turnsOf } from "../state/run-turns.js";
import type { RunView } from "../state/run-view.js";

/** Draws tokens, time and cost of each turn as columns, and as a table for screen readers. */
export function TurnCharts({ run }: { readonly run: RunView }) {
  const { prices } = run.state.value.limits;
  const turns = turnsOf(run.log, prices).slice(-SHOWN);
  if (turns.length === 0) return null;
  const hasUsage = turns.some(({ usage }) => usage !== undefined);
  return (
    <section class="block" aria-label="Tokens, time and cost per turn">
      <div class="block-head">
        <h2>Per turn</h2>
        <div class="legend" aria-hidden="true">
          <span>
            <i class="sw read" /> read
          </span>
          <span>
            <i class="sw written" /> written
          </span>
        </div>
      </div>
      <div class="turn-charts" style={{ "--turns": String(turns.length) }} aria-hidden="true">
        {hasUsage && <Columns name="Tokens" class="tall" turns={turns} parts={tokenParts} words={count} />}
        <Columns
          name="Time"
          turns={turns}
          parts={({ ms }) => [{ look: "read", value: ms }]}
          words={duration}
        />
        {prices !== undefined && (
          <Columns
            name="Cost"
            turns={turns}
            parts={({ cost = 0 }) => [{ look: "read", value: cost }]}
            words={money}
          />
        )}
        <div class="turn-row">
          <span class="turn-name">Step</span>
          {turns.map(({ from, step }) => (
            <span key={from} class="turn-step">
              {step}
            </span>
          ))}
        </div>
      </div>
      {prices === undefined && (
        <p class="faint">
          To see what turns cost, set <code>prices</code> in haft.config.json.
        </p>
      )}
      <TurnTable turns={turns} />
    </section>
  );
}

const SHOWN = 40;

interface Part {
  readonly look: "read" | "written";
  readonly value: number;
}

interface ColumnsProps {
  readonly name: string;
  readonly class?: string;
  readonly turns: readonly Turn[];
  parts(turn: Turn): readonly Part[];
  words(value: number): string;
}

function Columns({ name, class: look = "", turns, parts, words }: ColumnsProps) {
  const sums = turns.map((turn) => parts(turn).reduce((sum, { value }) => sum + value, 0));
  const top = Math.max(...sums) || 1;
  const isCrowded = turns.length > 16;
  return (
    <div class={`turn-row ${look}`}>
      <span class="turn-name">
        {name}
        {isCrowded && <span class="turn-top">to {words(top)}</span>}
      </span>
      {turns.map((turn, index) => (
        <span key={turn.from} class="turn-column" title={`Step ${turn.step}: ${words(sums[index] ?? 0)}`}>
          {!isCrowded && <span class="turn-value">{words(sums[index] ?? 0)}</span>}
          {parts(turn)
            .toReversed()
            .map(({ look: kind, value }) => (
              <i key={kind} class={kind} style={{ "--h": String(value / top) }} />
            ))}
        </span>
      ))}
    </div>
  );
}

function tokenParts({ usage }: Turn): readonly Part[] {
  return [
    { look: "read", value: usage?.inputTokens ?? 0 },
    { look: "written", value: usage?.outputTokens ?? 0 },
  ];
}

function TurnTable({ turns }: { readonly turns: readonly Turn[] }) {
  return (
    <table class="sr">
      <caption>Tokens, time and cost per turn</caption>
      <thead>
        <tr>
          <th>Step</th>
          <th>Tokens read</th>
          <th>Tokens written</th>
          <th>Time</th>
          <th>Cost</th>
        </tr>
      </thead>
      <tbody>
        {turns.map(({ from, step, usage, ms, cost }) => (
          <tr key={from}>
            <td>{step}</td>
            <td>{usage?.inputTokens}</td>
            <td>{usage?.outputTokens}</td>
            <td>{duration(ms)}</td>
            <td>{cost === undefined ? "" : money(cost)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
