import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import type TurndownService from "turndown";
import { MARKDOWN_WORKER_SOURCE } from "./markdown-worker-source.js";

export interface MarkdownRequest {
  readonly html: string;
  /** What relative links are relative to. */
  readonly url: string;
  readonly signal: AbortSignal;
}

/** In a thread of its own, because a page can be made to take minutes or all memory. Rejects beyond its limits. */
export async function htmlToMarkdown({ html, url, signal }: MarkdownRequest): Promise<string> {
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
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: 32 },
    stdout: true,
    stderr: true,
    env: {},
  });
  try {
    return await answerOf(worker, signal);
  } finally {
    await worker.terminate();
  }
}

const OPTIONS: TurndownService.Options = {
  headingStyle: "atx",
  codeBlockStyle: "fenced",
  bulletListMarker: "-",
  emDelimiter: "_",
};

const MAX_MS = 5_000;
const MAX_HEAP_MB = 256;

function answerOf(worker: Worker, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    const timer = setTimeout(() => reject(new Error("turning it into markdown took too long")), MAX_MS);
    const settled = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    };
    signal.addEventListener("abort", stop, { once: true });
    worker.once("message", (answer: { markdown?: string; error?: string }) => {
      if (answer.markdown === undefined) reject(new Error(answer.error ?? "it could not be converted"));
      else resolve(answer.markdown);
    });
    worker.once("error", (cause) => reject(new Error("turning it into markdown failed", { cause })));
    worker.once("exit", () => {
      settled();
      reject(new Error("turning it into markdown stopped"));
    });
  });
}
