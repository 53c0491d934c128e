import { signal } from "@preact/signals";

const narrow = matchMedia("(max-width: 720px)");

/** Whether the page has one column: a phone, or a small window. */
export const isNarrow = signal(narrow.matches);

narrow.addEventListener("change", ({ matches }) => {
  isNarrow.value = matches;
});
