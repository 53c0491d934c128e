import { useMemo } from "preact/hooks";
import { Conversation } from "../session/conversation.js";
import { RunView } from "../state/run-view.js";
import type { Playback } from "./playback.js";
import { ReplayBar } from "./replay-bar.js";

/** Shows the run after any of its events, read-only. */
export function ReplayTab({ playback }: { readonly playback: Playback }) {
  const { run } = playback;
  const at = playback.at.value;
  const shown = useMemo(() => runUntil(run, at), [run, at]);
  return (
    <div class="replay">
      <Conversation key={run.runId} run={shown} />
      <ReplayBar playback={playback} />
    </div>
  );
}

function runUntil(run: RunView, seq: number): RunView {
  const shown = new RunView(run.runId, { isReplay: true });
  shown.batch(() => {
    for (const event of run.log.slice(0, seq)) shown.hear(event);
  });
  shown.isReplayed.value = true;
  return shown;
}
