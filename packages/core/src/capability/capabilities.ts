import type { CodeSandbox } from "./code-sandbox.js";
import type { NetworkClient } from "./network-client.js";
import type { ProcessRunner } from "./process-runner.js";

/** What a host offers beyond files. A part that is missing makes its tools fail with a clear code. */
export interface Capabilities {
  readonly processes?: ProcessRunner;
  readonly sandbox?: CodeSandbox;
  readonly network?: NetworkClient;
}
