import type { HostileInput } from "./hostile-inputs.js";

/** What a broken parser does to the process: the gates must report each of them. */
export function hostileFaults(
  call: (tool: string, args: object) => Promise<unknown>,
): readonly HostileInput[] {
  const fault = (name: string, run: () => unknown): HostileInput => ({
    kind: "fault",
    name,
    run: async () => run(),
  });
  return [
    fault("throws later", () => {
      setTimeout(() => {
        throw new TypeError("thrown later");
      });
    }),
    fault("rejects unheard", () => void Promise.reject(new TypeError("rejected"))),
    fault("throws in a tool", () => call("broken", {})),
    fault("blocks", () => {
      const began = busyMs();
      while (busyMs() - began < BLOCKED_MS);
    }),
  ];
}

const BLOCKED_MS = 600;

/** Processor time, because the gates do not count the time in which others had the processor. */
function busyMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
