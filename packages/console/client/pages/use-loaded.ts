import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { get, wordsOf } from "../state/api.js";
import { reconnections, workspace } from "../state/workspace.js";

/** Loads something of the workspace when a screen opens, and again whenever `version` changes or the server was found again. */
export function useLoaded<T>(name: string, version = 0, query: Readonly<Record<string, string>> = {}) {
  const value = useSignal<T | undefined>(undefined);
  const problem = useSignal<string | undefined>(undefined);
  const id = workspace.value?.id;
  const load = async () => {
    if (id === undefined) return;
    try {
      value.value = await get<T>(name, query);
      problem.value = undefined;
    } catch (thrown) {
      problem.value = wordsOf(thrown);
    }
  };
  useEffect(() => void load(), [workspace.value, reconnections.value, name, version, JSON.stringify(query)]);
  return { value, problem, load };
}
