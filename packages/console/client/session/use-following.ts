import { useEffect } from "preact/hooks";

/** Keeps the end visible while it is, and keeps the position of readers who scrolled up. */
export function useFollowing(place: { readonly current: HTMLElement | null }): void {
  useEffect(() => {
    const box = place.current;
    const content = box?.firstElementChild;
    if (box === null || content === null || content === undefined) return undefined;
    let isFollowing = true;
    let [top, height] = [0, 0];
    const follow = () => {
      if (isFollowing) box.scrollTop = box.scrollHeight;
      height = box.scrollHeight;
    };
    const hand = watchHand(box);
    const onScroll = () => {
      const { scrollTop, scrollHeight, clientHeight } = box;
      // A card that folds moves the content down, and the next entries may exist before this event.
      const isByReader = scrollHeight === height || hand.hasMoved();
      if (scrollHeight - scrollTop - clientHeight < 40) isFollowing = true;
      else if (scrollTop < top && isByReader) isFollowing = false;
      [top, height] = [scrollTop, scrollHeight];
    };
    const sizes = new ResizeObserver(follow);
    sizes.observe(content);
    sizes.observe(box);
    box.addEventListener("scroll", onScroll, { passive: true });
    follow();
    return () => {
      sizes.disconnect();
      hand.stop();
      box.removeEventListener("scroll", onScroll);
    };
  }, []);
}

/** Detects that the reader has just moved the content up: with a wheel, a finger, a key or the scroll bar. */
function watchHand(box: HTMLElement) {
  let movedAt = Number.NEGATIVE_INFINITY;
  const onMove = (event: Event) => {
    const isUp =
      (event instanceof WheelEvent && event.deltaY < 0) ||
      (event instanceof KeyboardEvent && UP.has(event.key)) ||
      event.type === "touchmove" ||
      (event.type === "pointerdown" && event.target === box);
    if (isUp) movedAt = performance.now();
  };
  for (const name of MOVES) box.addEventListener(name, onMove, { passive: true });
  return {
    hasMoved: () => performance.now() - movedAt < 1_000,
    stop: () => {
      for (const name of MOVES) box.removeEventListener(name, onMove);
    },
  };
}

const MOVES = ["wheel", "keydown", "touchmove", "pointerdown"] as const;
const UP: ReadonlySet<string> = new Set(["ArrowUp", "PageUp", "Home", " "]);
