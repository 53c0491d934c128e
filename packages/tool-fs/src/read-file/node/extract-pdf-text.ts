import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { ToolError } from "@haft/core";
import { WATCHED_HEAP, type WorkLimiter } from "@haft/core/capabilities";
import { parseRanges } from "../ranges.js";
import { PDF_WORKER_SOURCE } from "./pdf-worker-source.js";

interface PdfRequest {
  readonly bytes: Uint8Array;
  /** Such as "1-5". Default: the first pages. */
  readonly pages: string | undefined;
  /** The path as the caller wrote it, for messages. */
  readonly path: string;
  readonly signal: AbortSignal;
  readonly limiter: WorkLimiter;
}

interface PdfText {
  readonly totalPages: number;
  readonly pages: readonly { readonly number: number; readonly text: string }[];
}

/** Extracts text within limits of time and memory. Throws LIMIT_EXCEEDED beyond them. */
export async function extractPdfText(request: PdfRequest): Promise<PdfText> {
  const worker = startWorker(request);
  return request.limiter.run(
    { result: converse(worker, request), end: () => worker.terminate() },
    {
      signal: request.signal,
      maxMs: 5_000,
      maxBytes: MAX_BYTES,
      memoryUsage: process.memoryUsage,
      exceeded: (limit) => exceeded(request, limit),
    },
  );
}

const MAX_BYTES = 320 * 1024 * 1024;
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
    resourceLimits: WATCHED_HEAP,
    stdout: true,
    stderr: true,
    env: {},
  });
}

/** unpdf is an optional peer dependency, because most agents never read a PDF. */
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

/** Opens the document, requests its pages and collects them. */
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
