import { useSignal } from "@preact/signals";
import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { rangeShown } from "./shown-range.js";

export interface VirtualListProps<T> {
  /** The scrolling element. */
  readonly box: RefObject<HTMLElement | null>;
  readonly items: readonly T[];
  keyOf(item: T): string;
  render(item: T): ComponentChildren;
  /** The assumed height of an item before it was rendered, in pixels. */
  readonly estimate: number;
  /** Whether a list that was scrolled to its end follows new items. */
  readonly keepsEnd?: boolean;
}

/** Renders the items near the screen, and space for the others. Items may have any height, and change it. */
export function VirtualList<T>({
  box,
  items,
  keyOf,
  render,
  estimate,
  keepsEnd = false,
}: VirtualListProps<T>) {
  const place = useRef<HTMLDivElement>(null);
  const heights = useRef(new Map<string, number>());
  const moved = useSignal(0);
  const redraw = () => {
    moved.value++;
  };
  void moved.value;
  const range = rangeShown({
    heights: items.map((item) => heights.current.get(keyOf(item)) ?? estimate),
    top: offsetIn(box.current, place.current),
    height: box.current?.clientHeight ?? window.innerHeight,
    followsEnd: keepsEnd && isAtEnd(box.current),
  });
  useScrolling(box, redraw);
  useMeasuring(place, heights.current, redraw);
  return (
    <div ref={place} class="virtual">
      <div class="spacer" style={{ height: `${range.before}px` }} />
      {items.slice(range.from, range.to).map((item) => (
        <div key={keyOf(item)} class="virtual-row" data-key={keyOf(item)}>
          {render(item)}
        </div>
      ))}
      <div class="spacer" style={{ height: `${range.after}px` }} />
    </div>
  );
}

/** Returns how far the list has scrolled past the top of the box. */
function offsetIn(box: HTMLElement | null, place: HTMLElement | null): number {
  if (box === null || place === null) return 0;
  return box.getBoundingClientRect().top - place.getBoundingClientRect().top;
}

function isAtEnd(box: HTMLElement | null): boolean {
  return box === null || box.scrollHeight - box.scrollTop - box.clientHeight < 40;
}

function useScrolling(box: RefObject<HTMLElement | null>, redraw: () => void): void {
  useEffect(() => {
    const scrolled = box.current;
    if (scrolled === null) return undefined;
    let frame = 0;
    const onScroll = () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        redraw();
      });
    };
    scrolled.addEventListener("scroll", onScroll, { passive: true });
    addEventListener("resize", onScroll);
    onScroll();
    return () => {
      cancelAnimationFrame(frame);
      scrolled.removeEventListener("scroll", onScroll);
      removeEventListener("resize", onScroll);
    };
  }, []);
}

function useMeasuring(
  place: RefObject<HTMLElement | null>,
  heights: Map<string, number>,
  redraw: () => void,
): void {
  const observer = useRef<ResizeObserver>(undefined);
  useEffect(() => () => observer.current?.disconnect(), []);
  useLayoutEffect(() => {
    observer.current ??= new ResizeObserver((entries) => {
      let isNew = false;
      for (const { target, borderBoxSize } of entries) {
        const key = (target as HTMLElement).dataset.key;
        const height = borderBoxSize[0]?.blockSize ?? 0;
        // A removed row reports no height, so its last height is kept.
        if (key === undefined || height === 0 || heights.get(key) === height) continue;
        heights.set(key, height);
        isNew = true;
      }
      if (isNew) redraw();
    });
    for (const row of place.current?.querySelectorAll<HTMLElement>(":scope > .virtual-row") ?? [])
      observer.current.observe(row);
  });
}
