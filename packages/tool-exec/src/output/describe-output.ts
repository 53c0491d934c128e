import { cleanOutput } from "./clean-output.js";
import { fitOutput } from "./fit-output.js";

export interface ShownStreams {
  readonly stdout: string;
  readonly stderr: string;
}

/** Renders both streams for the model within one budget. The error stream has priority. */
export function describeOutput({ stdout, stderr }: ShownStreams, maxTokens: number): string {
  const errors = fitOutput(cleanOutput(stderr).trimEnd(), Math.floor(maxTokens / 2));
  const left = maxTokens - Math.min(Math.floor(maxTokens / 2), Math.ceil(errors.text.length / 4));
  const output = fitOutput(cleanOutput(stdout).trimEnd(), left);
  const parts = [output.text, errors.text === "" ? "" : `[stderr]\n${errors.text}`].filter(
    (part) => part !== "",
  );
  return parts.length === 0 ? "(no output)" : parts.join("\n");
}
