import type { RenderFacts } from "@haft/core";
import { countOf } from "@haft/text";
import type { WriteResult } from "./write-schema.js";

/** Renders the result of the tools that write a whole file. */
export function renderWrite(value: WriteResult, facts: RenderFacts<unknown>): string {
  const path = facts.showPath(value.path);
  const size = countOf(value.bytesWritten, "byte");
  if (!value.changed) return `${path}: file already has this content`;
  if (facts.preview) return `Would write ${size} to ${path}`;
  return `Successfully wrote ${size} to ${path}${value.created ? " (new file)" : ""}`;
}

/** Renders the result of a tool that appends. */
export function renderAppend(value: WriteResult, facts: RenderFacts<unknown>): string {
  const path = facts.showPath(value.path);
  const size = countOf(value.bytesWritten, "byte");
  if (!value.changed) return `${path}: nothing was added`;
  if (facts.preview) return `Would append ${size} to ${path}`;
  const now = value.created ? "new file" : `now ${countOf(value.size, "byte")}`;
  return `Appended ${size} to ${path} (${now})`;
}
