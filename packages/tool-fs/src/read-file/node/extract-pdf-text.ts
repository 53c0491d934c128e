import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { ToolError } from "@haft/core";
import { parseRanges } from "../ranges.js";
import { PDF_WORKER_SOURCE } from "./pdf-worker-source.js";

export interface PdfRequest {
  readonly bytes: Uint8Array;
  /** Such as "1-5"; the first pages when left out. */
  readonly pages: string | undefined;
  /** As the caller wrote it, for messages. */
  readonly path: string;
  readonly signal: AbortSignal;
}

export interface PdfText {
  readonly totalPages: number;
  readonly pages: readonly { readonly number: number; readonly text: string }[];
}

/** Never takes longer, or more memory, than its limits: beyond them it throws LIMIT_EXCEEDED. */
export async function extractPdfText(request: PdfRequest): Promise<PdfText> {
  const worker = startWorker(request);
  const baseRss = process.memoryUsage.rss();
  try {
    return await new Promise<PdfText>((resolve, reject) => {
      const stop = (error: unknown) => reject(error);
      const timer = setTimeout(() => stop(exceeded(request, `${MAX_MS / 1000} s`)), MAX_MS);
      // The worker's heap limit does not count what it inflates, so the process is watched as well.
      const watch = setInterval(() => {
        if (process.memoryUsage.rss() - baseRss > MAX_RSS_BYTES) stop(exceeded(request, "the memory limit"));
      }, WATCH_MS);
      const onAbort = () => stop(request.signal.reason);
      request.signal.addEventListener("abort", onAbort, { once: true });
      const settled = () => {
        clearTimeout(timer);
        clearInterval(watch);
        request.signal.removeEventListener("abort", onAbort);
      };
      converse(worker, request).then(resolve, reject).finally(settled);
      worker.once("exit", settled);
    });
  } finally {
    await worker.terminate();
  }
}

const MAX_MS = 5_000;
const MAX_HEAP_MB = 256;
const MAX_RSS_BYTES = 320 * 1024 * 1024;
const WATCH_MS = 20;
const MAX_CHARS = 1024 * 1024;
const MAX_PAGES = 20;

type Message =
  | { readonly type: "opened"; readonly totalPages: number }
  | { readonly type: "page"; readonly number: number; readonly text: string }
  | { readonly type: "done" }
  | { readonly type: "failed"; readonly message: string };

function startWorker({ bytes, path }: PdfRequest): Worker {
  const data = bytes.slice();
  return new Worker(PDF_WORKER_SOURCE, {
    eval: true,
    workerData: { bytes: data, moduleUrl: unpdfUrl(path), maxChars: MAX_CHARS },
    transferList: [data.buffer],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: 32 },
    stdout: true,
    stderr: true,
    env: {},
  });
}

/** unpdf is an optional peer: most agents never meet a PDF. */
function unpdfUrl(path: string): string {
  const require = createRequire(import.meta.url);
  try {
    return pathToFileURL(require.resolve("unpdf")).href;
  } catch (cause) {
    throw new ToolError("PDF_SUPPORT_MISSING", `Cannot read ${path}: PDF support is not installed`, {
      hint: "Ask the user to run: npm install unpdf@1",
      cause,
    });
  }
}

/** Opens the document, asks for its pages, and gathers them. */
function converse(worker: Worker, request: PdfRequest): Promise<PdfText> {
  return new Promise((resolve, reject) => {
    const pages: { number: number; text: string }[] = [];
    let totalPages = 0;
    worker.on("message", (message: Message) => {
      try {
        if (message.type === "failed") throw damaged(request, message.message);
        if (message.type === "page") pages.push({ number: message.number, text: message.text });
        if (message.type === "done") resolve({ totalPages, pages });
        if (message.type === "opened") {
          totalPages = message.totalPages;
          worker.postMessage(wantedPages(request, totalPages));
        }
      } catch (error) {
        reject(error);
      }
    });
    worker.on("error", (error: Error & { code?: string }) => {
      const isLimit = error.code === "ERR_WORKER_OUT_OF_MEMORY";
      reject(isLimit ? exceeded(request, "the memory limit", error) : damaged(request, error.message, error));
    });
    worker.on("exit", () => reject(damaged(request, "the reader stopped")));
  });
}

function wantedPages({ pages }: PdfRequest, totalPages: number): readonly number[] {
  if (totalPages < 1) return [];
  return parseRanges(pages ?? "1-", totalPages, "pages").slice(0, MAX_PAGES);
}

function damaged({ path }: PdfRequest, problem: string, cause?: unknown): ToolError {
  return new ToolError(
    "DAMAGED_FILE",
    `Cannot read ${path}: it is not a readable PDF (${problem.slice(0, 200)})`,
    {
      hint: "The file may be damaged or encrypted.",
      ...(cause === undefined ? {} : { cause }),
    },
  );
}

function exceeded({ path }: PdfRequest, limit: string, cause?: unknown): ToolError {
  return new ToolError("LIMIT_EXCEEDED", `Reading ${path} was stopped: it needs more than ${limit}`, {
    hint: 'Ask for fewer pages, such as pages: "1".',
    ...(cause === undefined ? {} : { cause }),
  });
}
