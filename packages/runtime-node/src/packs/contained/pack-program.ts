/**
 * The program that runs a contained pack, in the second thread of its process. It imports nothing of Haft: a pack
 * registers its tools under two registered symbols, and everything else arrives by message. Stored as text, so that it
 * works from source and from a bundle.
 */
export const PACK_PROGRAM = `
const { workerData } = require("node:worker_threads");
const { serialize } = require("node:v8");
// Uses a separate port: a library that assumes its own worker sends to parentPort, which has no listener.
const { entry, port, limits } = workerData;
delete workerData.port;
const DEFINITION = Symbol.for("haft.tool-definition.v1");
const CATALOG = Symbol.for("haft.catalog.v1");
const TOOL_ERROR = Symbol.for("haft.tool-error.v1");
// Bound before the pack can replace them.
const prints = [process.stdout, process.stderr].map((stream) => stream.write.bind(stream, ""));
const STREAMS = new Set(["stream", "walk"]);
let nextId = 0;
let running;

const classes = import(entry).then((exported) => {
  const all = [...(globalThis[CATALOG] ?? []), ...Object.values(exported)];
  return [...new Set(all)].filter((one) => typeof one === "function" && one[DEFINITION] !== undefined);
});
classes.then(
  (found) => send({ type: "ready", tools: found.map((one) => dataOf(one[DEFINITION])) }),
  // Node's code says what helps against a failed import.
  (error) => send({ type: "failed", error: { ...(typeof error?.code === "string" && { code: error.code }), ...errorData(error) } }),
);

port.on("message", (message) => {
  if (message.type === "run") void run(message);
  else if (message.type === "abort") running?.controller.abort(errorOf(message.error));
  else running?.requests.answer(message);
});

async function run({ run, tool, args, context }) {
  const post = (message) => send({ ...message, run });
  const told = messagesTo(post);
  const requests = requestsTo(post);
  running = { controller: new AbortController(), requests };
  try {
    const found = (await classes).find((one) => one[DEFINITION].name === tool);
    const value = await new found().run(frozen(args), contextOf(context, { ask: requests.ask, told }));
    const bytes = serialize(value);
    if (bytes.length > limits.resultBytes) throw new Error(tool + " returned " + megabytes(bytes.length) + "; a contained tool may return at most " + megabytes(limits.resultBytes));
    told.flush();
    await printed();
    post({ type: "done", bytes });
  } catch (error) {
    told.flush();
    await printed();
    post({ type: "threw", error: errorData(error) });
  }
}

/** What a call prints goes out before its result, after which the host may end this process. */
function printed() {
  return Promise.all(prints.map((write) => new Promise((resolve) => write(resolve))));
}

function megabytes(bytes) {
  return Math.round(bytes / 1e6) + " MB";
}

/**
 * The requests of one call. The host is asked only some at a time; the others wait here, within this thread's memory.
 */
function requestsTo(post) {
  const waiting = new Map();
  const queue = [];
  const next = () => {
    while (waiting.size < limits.openRequests && queue.length > 0) {
      const { message, ...promise } = queue.shift();
      const id = nextId++;
      waiting.set(id, promise);
      post({ ...message, id });
    }
  };
  return {
    ask: (message) =>
      new Promise((resolve, reject) => {
        queue.push({ message, resolve, reject });
        next();
      }),
    answer({ id, error, value }) {
      const promise = waiting.get(id);
      if (promise === undefined) return;
      waiting.delete(id);
      if (error !== undefined) promise.reject(errorOf(error));
      else promise.resolve(value);
      next();
    },
  };
}

/**
 * Limits what one call reports without waiting. Only the newest progress report is kept, and sent a few times a second.
 */
function messagesTo(post) {
  let progress;
  let sentAt = -Infinity;
  let timer;
  let warnings = 0;
  let images = 0;
  let imageBytes = 0;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (progress === undefined) return;
    sentAt = performance.now();
    post({ type: "report", progress });
    progress = undefined;
  };
  return {
    flush,
    report(given) {
      progress = progressOf(given);
      if (performance.now() - sentAt >= limits.reportMs) flush();
      else timer ??= setTimeout(flush, limits.reportMs);
    },
    warn(message) {
      warnings += 1;
      if (warnings <= limits.warnings) post({ type: "warn", message: String(message).slice(0, limits.warningLength) });
      if (warnings === limits.warnings + 1) post({ type: "warn", message: "The tool made more than " + limits.warnings + " warnings; the others are left out." });
    },
    attach(image) {
      const { mimeType, data } = image ?? {};
      images += 1;
      if (typeof mimeType !== "string" || typeof data !== "string") return false;
      imageBytes += data.length;
      const isSent = images <= limits.images && imageBytes <= limits.resultBytes;
      if (isSent) post({ type: "attach", image: { type: "image", mimeType, data } });
      return isSent;
    },
  };
}

function progressOf(given) {
  const { message = given, done, total } = given ?? {};
  return { message: String(message), ...(typeof done === "number" && { done }), ...(typeof total === "number" && { total }) };
}

function contextOf({ callId, rehearsing, remainingMs, root, methods, network }, { ask, told }) {
  const startedAt = performance.now();
  const workspace = { root, absolute: (path) => (path === "" ? root : root + "/" + path) };
  for (const name of methods)
    workspace[name] = STREAMS.has(name)
      ? (...args) => streamOf(name, args, ask)
      : (...args) => ask({ type: "call", target: "workspace", name, args });
  return {
    callId,
    rehearsing,
    workspace: Object.freeze(workspace),
    signal: running.controller.signal,
    remainingMs: () => Math.max(0, remainingMs - (performance.now() - startedAt)),
    report: told.report,
    warn: told.warn,
    attach: told.attach,
    ...(network && { network: { fetch: (request) => ask({ type: "call", target: "network", name: "fetch", args: [request] }) } }),
  };
}

async function* streamOf(name, args, ask) {
  const stream = await ask({ type: "open", name, args });
  for (;;) {
    const { values, done } = await ask({ type: "next", stream });
    yield* values;
    if (done) return;
  }
}

function send(message) {
  port.postMessage(message);
}

/** Returns the members of a definition that are data, and the names of the others. */
function dataOf(definition) {
  const data = {};
  const functions = [];
  for (const [key, value] of Object.entries(definition)) {
    try {
      data[key] = key === "inject" ? value.length : structuredClone(value);
    } catch {
      functions.push(key);
    }
  }
  return { data, functions };
}

function errorData(error) {
  const message = error instanceof Error ? error.message : String(error);
  // The codes of other errors, such as those of Node, are not for models.
  if (error?.[TOOL_ERROR] !== true) return { message };
  const { code, hint, details, next } = error;
  try {
    return structuredClone({ message, code, hint, details, next });
  } catch {
    return { message, code: typeof code === "string" ? code : undefined };
  }
}

function errorOf({ message, ...rest }) {
  return Object.assign(new Error(message), rest, { [TOOL_ERROR]: true });
}

function frozen(value) {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}
`;
