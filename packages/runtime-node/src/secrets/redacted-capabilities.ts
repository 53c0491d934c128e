import { type Capabilities, messageOf, type Redact, ToolError } from "@haft/core";
import type {
  CodeSandbox,
  CommandOutput,
  CommandRun,
  NetworkClient,
  NetworkResponse,
  ProcessRunner,
} from "@haft/core/capabilities";
import { StreamedOutput } from "../process/streamed-output.js";

/** Redacts secrets in the results and errors of a host's own capabilities, like those of the built-in ones. */
export function redactedCapabilities(given: Capabilities = {}, redact: Redact): Capabilities {
  const { processes, sandbox, network } = given;
  return {
    ...(processes && { processes: redactedProcesses(processes, redact) }),
    ...(sandbox && { sandbox: redactedSandbox(sandbox, redact) }),
    ...(network && { network: redactedNetwork(network, redact) }),
  };
}

function redactedProcesses(given: ProcessRunner, redact: Redact): ProcessRunner {
  const { box } = given as { readonly box?: CodeSandbox };
  const runner: ProcessRunner = {
    async run(request, signal) {
      const told = watched(request, redact);
      try {
        return redact(await redactingErrors(redact, () => given.run(told.options, signal)));
      } finally {
        told.close();
      }
    },
    async open(options, signal) {
      const told = watched(options, redact);
      const run = await redactingErrors(redact, () => given.open(told.options, signal));
      return redactedRun(run, { redact, close: told.close });
    },
  };
  return box === undefined ? runner : { ...runner, ...{ box: redactedSandbox(box, redact) } };
}

/** Leaves the output of one pipeline for the next unchanged, since it is not shown. */
function redactedRun(run: CommandRun, { redact, close }: { redact: Redact; close: () => void }): CommandRun {
  const shown = (output: CommandOutput) => redact(output);
  return {
    get cwd() {
      return run.cwd;
    },
    changeDirectory: (path) => redactingErrors(redact, () => run.changeDirectory(path)),
    list: (path) => redactingErrors(redact, () => run.list(path)),
    pipe: (request) => redactingErrors(redact, () => run.pipe(request)),
    write: (text) => run.write(text),
    output: () => shown(run.output()),
    close: async () => {
      const output = await redactingErrors(redact, () => run.close());
      close();
      return shown(output);
    },
  };
}

function redactedSandbox(sandbox: CodeSandbox, redact: Redact): CodeSandbox {
  return {
    get tier() {
      return sandbox.tier;
    },
    async run(request, signal) {
      const told = watched(request, redact);
      try {
        const ended = await redactingErrors(redact, () => sandbox.run(told.options, signal));
        const { changes, conflicts, ...outcome } = ended;
        return { ...redact(outcome), changes, conflicts };
      } finally {
        told.close();
      }
    },
  };
}

function redactedNetwork(network: NetworkClient, redact: Redact): NetworkClient {
  return {
    async fetch(request, signal) {
      const fetched = await redactingErrors(redact, () => network.fetch(request, signal));
      const { body, ...response } = fetched;
      return { ...redact(response), body: redactedBody(body, redact) };
    },
  };
}

/** Leaves a body that is not UTF-8 unchanged: its text is redacted after a tool has decoded it. */
function redactedBody(body: NetworkResponse["body"], redact: Redact): NetworkResponse["body"] {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
    const redacted = redact(text);
    return redacted === text ? body : new TextEncoder().encode(redacted);
  } catch {
    return body;
  }
}

async function redactingErrors<T>(redact: Redact, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw redactedError(thrown, redact);
  }
}

/** Returns an error without secrets unchanged. Otherwise leaves out its stack and cause, which repeat the message. */
function redactedError(thrown: unknown, redact: Redact): unknown {
  if (ToolError.is(thrown)) {
    const { code, message, hint, details, next } = thrown;
    const told = { message, hint, details, next };
    const shown = redact(told);
    return shown === told ? thrown : new ToolError(code, shown.message, shown);
  }
  const message = messageOf(thrown);
  const shown = redact(message);
  if (shown === message) return thrown;
  const { name = "Error", code } = thrown as Partial<NodeJS.ErrnoException>;
  return Object.assign(new Error(shown), { name, ...(code !== undefined && { code }) });
}

interface Watchable {
  onOutput?(chunk: string, stream: "stdout" | "stderr"): void;
}

/** Redacts streamed output line by line: a secret may be split anywhere. */
function watched<T extends object>(given: T, redact: Redact): { readonly options: T; close(): void } {
  const { onOutput } = given as Watchable;
  if (onOutput === undefined) return { options: given, close: () => {} };
  const streams = {
    stdout: new StreamedOutput((text) => onOutput(text, "stdout"), redact),
    stderr: new StreamedOutput((text) => onOutput(text, "stderr"), redact),
  };
  const tell: Watchable["onOutput"] = (chunk, stream) => streams[stream].push(Buffer.from(chunk));
  return {
    options: { ...given, onOutput: tell },
    close: () => {
      streams.stdout.close();
      streams.stderr.close();
    },
  };
}
