/**
 * The thread of `watchInterrupts`, as CommonJS text so that it also starts from a bundle. Signals reach only the main
 * thread, so a shell in the same process group counts Ctrl-C. In raw mode a terminal sends no signal; once the main
 * thread no longer answers, the thread turns signals on again.
 */
export const INTERRUPT_WATCH_SOURCE = `
"use strict";
const { spawn, spawnSync } = require("node:child_process");
const { Session } = require("node:inspector");
const { parentPort, workerData } = require("node:worker_threads");

const COUNT_INTERRUPTS = [
  "trap 'printf x' INT",
  "exec 3<&0",
  "cat <&3 >/dev/null & held=$!",
  "while kill -0 $held 2>/dev/null; do wait $held; done",
].join("\\n");
const SEND_SIGNALS = "stty -a </dev/tty | grep -q -e '-isig' && stty isig </dev/tty";
const ASK_MS = 500;
const MAX_COUNTERS = 20;

let presses = 0;
let unanswered = 0;
let isChanged = false;

count(MAX_COUNTERS);
parentPort.on("message", () => {
  if (isChanged) parentPort.postMessage("restore");
  isChanged = false;
  presses = 0;
  unanswered = 0;
});
const timer = setInterval(() => {
  unanswered += 1;
  if (isStuck() && !isChanged) isChanged = spawnSync("/bin/sh", ["-c", SEND_SIGNALS], { timeout: 1000, killSignal: "SIGKILL" }).status === 0;
  endIfStuck();
  parentPort.postMessage("answer");
}, ASK_MS);

function count(left) {
  const counter = spawn("/bin/sh", ["-c", COUNT_INTERRUPTS], { stdio: ["pipe", "pipe", "ignore"] });
  const pressed = (times) => {
    presses += times;
    endIfStuck();
  };
  counter.on("error", () => {});
  counter.stdin.on("error", () => {});
  counter.stdout.on("data", (seen) => pressed(seen.length));
  // Ctrl-C ends a shell that has not set its trap yet.
  counter.on("exit", (code, signal) => {
    if (signal === "SIGINT") pressed(1);
    if (left > 0) count(left - 1);
  });
}

function isStuck() {
  return unanswered > 2;
}

function endIfStuck() {
  if (!isStuck() || presses < 2) return;
  clearInterval(timer);
  Atomics.store(workerData.ending, 0, 1);
  const session = new Session();
  session.connectToMainThread();
  // Unwinds the stack of the main thread, which then reads the message.
  session.post("Runtime.terminateExecution");
  session.disconnect();
  parentPort.postMessage("end");
  // Native code that blocks cannot be terminated.
  setTimeout(() => process.kill(process.pid, "SIGKILL"), 10000);
}
`;
