/**
 * The first thread of a contained pack's process. It runs the pack in a second thread and passes messages on in both
 * directions. Stored as text, so that it works from source and from a bundle.
 */
export const SUPERVISOR_PROGRAM = `
const { MessageChannel, Worker } = require("node:worker_threads");
// The host has exited or closed the channel, so programs that the pack started end too.
process.on("disconnect", () => {
  try {
    process.kill(-process.pid, "SIGKILL");
  } catch {
    process.exit();
  }
});

process.once("message", ({ program, memoryMb, data }) => {
  stopAtMemory(memoryMb);
  const { port1, port2 } = new MessageChannel();
  const thread = new Worker(program, {
    eval: true,
    workerData: { ...data, port: port2 },
    transferList: [port2],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  port1.on("message", send);
  process.on("message", (message) => port1.postMessage(message));
  thread.on("error", (error) => send({ type: "died", message: String(error?.message ?? error) }));
  thread.on("exit", () => process.disconnect());
});

/** The limit of a thread counts its heap only. This one counts buffers too, which are outside of every heap. */
function stopAtMemory(memoryMb) {
  const limit = process.memoryUsage.rss() + 2 * memoryMb * 1e6;
  setInterval(() => {
    if (process.memoryUsage.rss() <= limit) return;
    const message = "it was ended at its memory limit of " + memoryMb + " MB";
    process.send({ type: "died", message }, () => process.disconnect());
  }, 50).unref();
}

function send(message) {
  process.send(message, () => {});
}
`;
