import { useEffect } from "preact/hooks";
import { Icon } from "../parts/icon.js";
import { shownText, VisibleText } from "../parts/visible-text.js";
import type { Playback } from "./playback.js";

/** Replays a run, and moves to any of its events. */
export function ReplayBar({ playback }: { readonly playback: Playback }) {
  const { isPlaying, at, last } = playback;
  useEffect(() => {
    if (!isPlaying.value) return undefined;
    const timer = setInterval(() => playback.moveBy(1), PLAY_MS);
    return () => clearInterval(timer);
  }, [isPlaying.value]);
  return (
    <div class="replay-bar">
      <button
        type="button"
        class="btn icon"
        aria-label={isPlaying.value ? "Pause" : "Play"}
        onClick={() => playback.togglePlaying()}
      >
        <Icon name={isPlaying.value ? "stop" : "play"} />
      </button>
      <button
        type="button"
        class="btn quiet icon"
        aria-label="Previous event"
        onClick={() => playback.moveBy(-1)}
      >
        <Icon name="chev" class="flipped" />
      </button>
      <button type="button" class="btn quiet icon" aria-label="Next event" onClick={() => playback.moveBy(1)}>
        <Icon name="chev" />
      </button>
      <label class="scrub grow">
        <span class="faint cut">
          <VisibleText text={playback.words} />
        </span>
        <input
          type="range"
          min={1}
          max={Math.max(1, last.value)}
          value={at.value}
          aria-label="Replay"
          aria-valuetext={shownText(playback.words)}
          onInput={({ currentTarget }) => playback.moveTo(Number(currentTarget.value))}
        />
      </label>
    </div>
  );
}

const PLAY_MS = 350;
