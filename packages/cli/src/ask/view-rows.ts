import { basename } from "node:path";
import type { Writable } from "node:stream";
import type { CliIo } from "../cli-io.js";
import { type PagedRows, pageRows } from "./built-in-pager.js";
import { choosePager } from "./choose-pager.js";

/** A text to page through. */
export interface PagedText {
  /** Names the text in one row. Already escaped. */
  readonly title: string;
  /** Returns the rows for this width. Already escaped; `paint` adds colour. */
  rows(columns: number): readonly string[];
  paint(row: string): string;
}

/** The rows that a pager showed. An external pager reports only that it ran. */
export type Viewed = PagedRows | { readonly program: string };

/** Shows a text in $PAGER or the built-in pager. Resolves when the user returns. */
export async function viewRows(text: PagedText, io: CliIo, signal: AbortSignal): Promise<Viewed> {
  const pager = choosePager(io);
  if (pager !== undefined && (await runPager(pager, text, { io, signal })))
    return { program: basename(pager[0] ?? "") };
  return pageRows(text, io, signal);
}

interface PagerContext {
  readonly io: CliIo;
  readonly signal: AbortSignal;
}

/** Returns false if the pager failed, so that the built-in one shows the text. */
async function runPager(
  [program = "", ...options]: readonly string[],
  text: PagedText,
  { io, signal }: PagerContext,
): Promise<boolean> {
  const { execa } = await import("execa");
  const showsColour = basename(program) === "less" && (io.env.LESS ?? "R").includes("R");
  const rows = text.rows(io.stderr.columns || 80).map((row) => (showsColour ? text.paint(row) : row));
  const terminal: Writable = io.stderr;
  const { exitCode } = await execa(program, options, {
    input: `${rows.join("\n")}\n`,
    stdout: terminal,
    stderr: terminal,
    env: { ...io.env, LESSSECURE: "1", LESS: io.env.LESS ?? "R" },
    extendEnv: false,
    cancelSignal: signal,
    reject: false,
  });
  return exitCode === 0 || signal.aborted;
}
