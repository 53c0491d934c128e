import { MARK } from "./pack-channel.js";

/**
 * The first thread of a contained pack's process. It runs the pack in a second thread and passes messages on in both
 * directions. Stored as text, so that it works from source and from a bundle.
 */
export const SUPERVISOR_PROGRAM = `
const { Socket } = require("node:net");
const { deserialize, serialize } = require("node:v8");
const { MessageChannel, Worker } = require("node:worker_threads");
const channel = new Socket({ fd: 3, readable: true, writable: true });
let chunks = [];
let bytes = 0;
let hear = start;
channel.on("data", (chunk) => {
  chunks.push(chunk);
  bytes += chunk.length;
  for (let message = next(); message !== undefined; message = next()) hear(message);
});
channel.on("error", () => {});
// The host has exited or closed the channel.
channel.on("close", end);

function start({ program, memoryMb, data }) {
  stopAtMemory(memoryMb);
  const { port1, port2 } = new MessageChannel();
  const thread = new Worker(program, {
    eval: true,
    workerData: { ...data, port: port2 },
    transferList: [port2],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  port1.on("message", send);
  hear = (message) => port1.postMessage(message);
  thread.on("error", (error) => send({ type: "died", message: String(error?.message ?? error) }));
  thread.on("exit", () => channel.end(end));
}

/** The limit of a thread counts its heap only. This one counts buffers too, which are outside of every heap. */
function stopAtMemory(memoryMb) {
  const limit = process.memoryUsage.rss() + 2 * memoryMb * 1e6;
  setInterval(() => {
    if (process.memoryUsage.rss() <= limit) return;
    send({ type: "died", message: "it was ended at its memory limit of " + memoryMb + " MB" });
    channel.end(end);
  }, 50).unref();
}

/** Programs that the pack started end too. */
function end() {
  try {
    process.kill(-process.pid, "SIGKILL");
  } catch {
    process.exit();
  }
}

function send(message) {
  const body = serialize(message);
  const header = Buffer.alloc(8);
  header.writeUInt32LE(${MARK});
  header.writeUInt32LE(body.length, 4);
  if (!channel.writable) return;
  channel.write(header);
  channel.write(body);
}

/** The next message that has arrived whole. */
function next() {
  if (bytes < 8) return undefined;
  if (chunks[0].length < 8) chunks = [Buffer.concat(chunks)];
  const length = 8 + chunks[0].readUInt32LE(4);
  if (bytes < length) return undefined;
  const all = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
  chunks = all.length === length ? [] : [all.subarray(length)];
  bytes -= length;
  return deserialize(all.subarray(8, length));
}
`;
