import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import { WATCHED_HEAP, type WorkLimiter } from "@haft/core/capabilities";
import type TurndownService from "turndown";
import { MARKDOWN_WORKER_SOURCE } from "./markdown-worker-source.js";

interface MarkdownRequest {
  readonly html: string;
  /** The base of relative links. */
  readonly url: string;
  readonly signal: AbortSignal;
  readonly limiter: WorkLimiter;
}

/**
 * Converts in a worker thread, because a page can be crafted to take minutes or all memory. Rejects beyond its limits.
 */
export async function htmlToMarkdown({ html, url, signal, limiter }: MarkdownRequest): Promise<string> {
  signal.throwIfAborted();
  const require = createRequire(import.meta.url);
  const worker = new Worker(MARKDOWN_WORKER_SOURCE, {
    eval: true,
    workerData: {
      html,
      url,
      options: OPTIONS,
      turndown: require.resolve("turndown"),
      gfm: require.resolve("@joplin/turndown-plugin-gfm"),
    },
    resourceLimits: WATCHED_HEAP,
    stdout: true,
    stderr: true,
    env: {},
  });
  return limiter.run(
    { result: answerOf(worker), end: () => worker.terminate() },
    {
      signal,
      maxMs: 5_000,
      maxBytes: MAX_BYTES,
      memoryUsage: process.memoryUsage,
      exceeded: (limit) => new Error(`the conversion to Markdown needs more than ${limit}`),
    },
  );
}

const OPTIONS: TurndownService.Options = {
  headingStyle: "atx",
  codeBlockStyle: "fenced",
  bulletListMarker: "-",
  emDelimiter: "_",
};

const MAX_BYTES = 320 * 1024 * 1024;

function answerOf(worker: Worker): Promise<string> {
  return new Promise((resolve, reject) => {
    worker.once("message", (answer: { markdown?: string; error?: string }) => {
      if (answer.markdown === undefined)
        reject(new Error(answer.error ?? "the conversion to Markdown failed"));
      else resolve(answer.markdown);
    });
    worker.once("error", (cause) => reject(new Error("the conversion to Markdown failed", { cause })));
    worker.once("exit", () => reject(new Error("the conversion to Markdown stopped")));
  });
}
