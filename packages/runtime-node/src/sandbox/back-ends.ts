import type { CodeSandbox } from "@haft/core/capabilities";
import type { SandboxOptions } from "./box-context.js";
import { bubblewrapSandbox } from "./bubblewrap-sandbox.js";
import { findBubblewrap } from "./find-bubblewrap.js";
import { findPortable, type PortablePrograms, portableSandbox } from "./portable-sandbox.js";
import { unconfinedRunner } from "./unconfined-runner.js";

/** One way to run code and commands. A back end for another system is one more file and one more entry below. */
export interface BackEnd {
  /** Its name in configurations and results. */
  readonly tier: "bubblewrap" | "portable" | "unconfined";
  /** Whether "auto" may choose it. */
  readonly isConfined: boolean;
  /** Whether it runs the machine's own programs, so that commands run in it too. */
  readonly isBox: boolean;
  /** Finds its requirements on this machine. Rejects with SANDBOX_UNAVAILABLE. */
  probe(): Promise<unknown>;
  /** Describes the probe's findings to people. */
  describe(found: unknown): string;
  open(options: SandboxOptions, found: unknown): CodeSandbox;
}

/** Best first. */
export const BACK_ENDS: readonly BackEnd[] = [
  {
    tier: "bubblewrap",
    isConfined: true,
    isBox: true,
    probe: () => findBubblewrap(),
    describe: () => "bubblewrap, namespaces work",
    open: (options) => bubblewrapSandbox(options),
  },
  {
    tier: "portable",
    isConfined: true,
    isBox: false,
    probe: () => findPortable(),
    describe: (found) =>
      `portable, just-bash ${(found as PortablePrograms).version}: bash and Python without system programs`,
    open: (options, found) => portableSandbox({ ...options, programs: found as PortablePrograms }),
  },
  {
    tier: "unconfined",
    isConfined: false,
    isBox: false,
    probe: async () => undefined,
    describe: () => "unconfined: code runs with the user's permissions",
    open: (options) => unconfinedRunner(options),
  },
];
