import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { get } from "../state/api.js";
import { folders, marks } from "./tree-state.js";

/** Returns known paths: files that calls changed, then those of every folder that was opened. */
export function knownFiles(): readonly string[] {
  const listed = [...folders.value.values()].flatMap((entries) =>
    entries.filter(({ type, ignored }) => type === "file" && ignored !== true).map(({ path }) => path),
  );
  return [...new Set([...marks.value.keys(), ...listed])];
}

/** Finds files in the whole workspace. Asks the server once typing pauses. */
export function useFoundFiles(words: string | undefined): readonly string[] {
  const found = useSignal<readonly string[]>([]);
  useEffect(() => {
    const timer = window.setTimeout(async () => {
      found.value =
        words === undefined ? [] : await get<readonly string[]>("paths", { words }).catch(() => []);
    }, 120);
    return () => window.clearTimeout(timer);
  }, [words]);
  return found.value;
}
