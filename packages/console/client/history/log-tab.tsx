import { useSignal } from "@preact/signals";
import { VisibleText } from "../parts/visible-text.js";
import type { RunView } from "../state/run-view.js";

/** Lists the durable events of a run as its journal stores them. */
export function LogTab({ run }: { readonly run: RunView }) {
  const shown = useSignal(200);
  void run.state.value;
  const events = run.log.slice(-shown.value).reverse();
  return (
    <div class="log">
      <table class="plain-table stacked">
        <thead>
          <tr>
            <th>#</th>
            <th>Time</th>
            <th>Event</th>
            <th>What</th>
          </tr>
        </thead>
        <tbody>
          {events.map((event) => {
            const { v: _, runId: _run, seq, at, type, ...rest } = event;
            return (
              <tr key={seq}>
                <td class="num">{seq}</td>
                <td class="num">{at.slice(11, 23)}</td>
                <td class="event-type">
                  <code>{type}</code>
                </td>
                <td class="faint">
                  <code>
                    <VisibleText text={JSON.stringify(rest).slice(0, 220)} />
                  </code>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {run.log.length > shown.value && (
        <button type="button" class="btn quiet" onClick={() => (shown.value += 500)}>
          Show earlier
        </button>
      )}
    </div>
  );
}
