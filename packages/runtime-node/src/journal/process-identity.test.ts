import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { isAlive, ownIdentity } from "./process-identity.js";

describe("process identity", () => {
  it("this process is alive, a later one with its id is not the same", () => {
    const own = ownIdentity();
    expect(isAlive(own)).toBe(true);
    expect(isAlive({ ...own, startTime: "another" })).toBe(false);
    expect(isAlive({ ...own, startTime: "" })).toBe(true);
  });

  it("an unused process id is not alive, another user's process is", () => {
    expect(isAlive({ pid: 2 ** 22 + 1, startTime: "x" })).toBe(false);
    expect(isAlive({ pid: 1, startTime: "" })).toBe(true);
  });

  it("a zombie is not alive", async () => {
    // The shell becomes `sleep`, which never waits for the child that the shell started.
    const parent = spawn("sh", ["-c", "sh -c 'read line' <&3 & echo $!; exec sleep 60"], {
      stdio: ["ignore", "pipe", "ignore", "pipe"],
    });
    try {
      const [said] = await once(parent.stdout as NodeJS.ReadableStream, "data");
      const pid = Number(String(said));
      const startTime = startTimeOf(pid);
      expect(isAlive({ pid, startTime })).toBe(true);
      (parent.stdio[3] as NodeJS.WritableStream).end("\n");
      for (let round = 0; round < 100 && stateOf(pid) !== "Z"; round += 1) await delay(10);
      expect(stateOf(pid)).toBe("Z");
      expect(isAlive({ pid, startTime })).toBe(false);
    } finally {
      parent.kill("SIGKILL");
    }
  });
});

const fieldsOf = (pid: number) => {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
};
const stateOf = (pid: number) => fieldsOf(pid)[0];
const startTimeOf = (pid: number) =>
  `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").slice(0, 8)}-${fieldsOf(pid)[19]}`;
