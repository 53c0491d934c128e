import type { CodeSandbox } from "./code-sandbox.js";
import type { NetworkClient } from "./network-client.js";
import type { ProcessRunner } from "./process-runner.js";

/**
 * What a host offers beyond files. A tool that needs a missing capability is not listed, and fails with a clear code.
 */
export interface Capabilities {
  readonly processes?: ProcessRunner;
  readonly sandbox?: CodeSandbox;
  readonly network?: NetworkClient;
}
