import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { get, wordsOf } from "../state/api.js";
import { reconnections } from "../state/stream.js";
import { workspace } from "../state/workspace.js";

/** Loads workspace data when a screen opens, and again when `version` changes or the page reconnects. */
export function useLoaded<T>(name: string, version = 0, query: Readonly<Record<string, string>> = {}) {
  const value = useSignal<T | undefined>(undefined);
  const problem = useSignal<string | undefined>(undefined);
  const asked = useRef(0);
  const id = workspace.value?.id;
  const load = async () => {
    if (id === undefined) return;
    const mine = ++asked.current;
    // An answer that is late is about something else by then.
    const isCurrent = () => mine === asked.current;
    try {
      const found = await get<T>(`/api/${id}/${name}`, query);
      if (!isCurrent()) return;
      value.value = found;
      problem.value = undefined;
    } catch (thrown) {
      if (isCurrent()) problem.value = wordsOf(thrown);
    }
  };
  const place = `${id} ${name} ${JSON.stringify(query)}`;
  const shown = useRef(place);
  if (shown.current !== place) {
    shown.current = place;
    value.value = undefined;
  }
  useEffect(() => void load(), [workspace.value, reconnections.value, name, version, JSON.stringify(query)]);
  return { value, problem, load };
}
