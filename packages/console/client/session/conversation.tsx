import { useRef } from "preact/hooks";
import { VirtualList } from "../parts/virtual-list.js";
import type { Entry, RunView } from "../state/run-view.js";
import { EntryView } from "./entry-view.js";
import { useFollowing } from "./use-following.js";

/** Shows the conversation in order. Follows new entries while the end is visible. */
export function Conversation({ run }: { readonly run: RunView }) {
  const box = useRef<HTMLDivElement>(null);
  const entries = run.entries.value;
  useFollowing(box);
  return (
    <div class="scroll" role="log" aria-label="Conversation" aria-live="off" tabIndex={0} ref={box}>
      <div class="talk">
        {entries.length === 0 && !run.isReplayed.value && <ConversationSkeleton />}
        {entries.length === 0 && run.isReplayed.value && (
          <p class="empty">This run does not exist, or its journal was deleted.</p>
        )}
        <VirtualList
          box={box}
          items={entries}
          keyOf={(entry: Entry) => entry.key}
          estimate={ESTIMATED_HEIGHT}
          keepsEnd
          render={(entry) => <EntryView entry={entry} run={run} />}
        />
      </div>
    </div>
  );
}

const ESTIMATED_HEIGHT = 84;

function ConversationSkeleton() {
  return (
    <div class="skeleton" aria-hidden="true">
      {[70, 92, 55, 80].map((width) => (
        <div key={width} class={`skel w-${width}`} />
      ))}
    </div>
  );
}
