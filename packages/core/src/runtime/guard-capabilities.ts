import type { PathSelection } from "@haft/text";
import type { Capabilities } from "../capability/capabilities.js";
import type { CodeSandbox } from "../capability/code-sandbox.js";
import type { ProcessRunner } from "../capability/process-runner.js";
import { ToolError } from "../error/tool-error.js";
import { guardAddresses, guardBoxAddresses } from "./guard-addresses.js";
import { closedToCode } from "./guard-paths.js";
import type { CallInProgress, Kernel } from "./kernel.js";

/** Returns a host capability restricted by the path and address rules that apply to this call. */
export function guardedCapability(
  kernel: Kernel,
  call: CallInProgress,
  name: keyof Capabilities,
): Capabilities[keyof Capabilities] {
  const { network, sandbox, processes } = kernel.capabilities;
  if (name === "network") return network && guardAddresses(kernel, call, network);
  const closed = closedToCode(kernel, call);
  if (closed.length === 0 && kernel.addressPolicy === undefined) return kernel.capabilities[name];
  const guarded = (box: CodeSandbox) =>
    guardBoxAddresses(kernel, call, closed.length === 0 ? box : closingSandbox(box, closed));
  if (name === "sandbox") return sandbox && guarded(sandbox);
  return processes && guardedProcesses(processes, call, { isClosed: closed.length > 0, guarded });
}

function closingSandbox(sandbox: CodeSandbox, closed: readonly PathSelection[]): CodeSandbox {
  return {
    get tier() {
      return sandbox.tier;
    },
    run: (request, signal) =>
      sandbox.run({ ...request, closed: [...(request.closed ?? []), ...closed] }, signal),
  };
}

interface Guarding {
  /** A rule denies reading some paths. */
  readonly isClosed: boolean;
  guarded(box: CodeSandbox): CodeSandbox;
}

/** A program outside the sandbox reads whatever its user may read, so it does not start if a rule closes paths. */
function guardedProcesses(
  processes: ProcessRunner,
  { tool }: CallInProgress,
  { isClosed, guarded }: Guarding,
): ProcessRunner {
  const { box } = processes;
  const refuse = () => Promise.reject(outsideTheBox(tool));
  return {
    run: isClosed ? refuse : (request, signal) => processes.run(request, signal),
    open: isClosed ? refuse : (options, signal) => processes.open(options, signal),
    ...(box && { box: guarded(box) }),
  };
}

function outsideTheBox(tool: string): ToolError {
  return new ToolError(
    "SANDBOX_UNAVAILABLE",
    `${tool} cannot run outside the box: a rule denies reading some paths, and nothing else keeps programs from them`,
    {
      hint: 'The user can install bubblewrap (haft doctor says how), or limit the rule to writing with permission "WriteFiles". Use the file tools meanwhile.',
    },
  );
}
