import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { stopProcessGroup } from "../process/stop-process-group.js";
import { ASKS_HOST } from "./box-launch.js";
import type { ControlGroup } from "./control-group.js";
import type { SharedFolders } from "./pass-through.js";
import {
  finishSandboxed,
  type SandboxEnd,
  type SandboxLaunch,
  sendLater,
  startSandboxed,
} from "./sandboxed-process.js";
import type { WorkspaceView } from "./workspace-view.js";

interface CommandBoxParts {
  readonly launch: SandboxLaunch;
  readonly view: WorkspaceView;
  readonly group: ControlGroup;
  readonly shared: SharedFolders;
  readonly warnings: readonly string[];
}

/** The program for a waiting box. */
interface BoxOrder {
  /** Absolute. */
  readonly cwd: string;
  readonly argv: readonly string[];
  readonly env: readonly (readonly [string, string])[];
}

/** A box whose shell waits for the one command that it will run. */
export class CommandBox {
  readonly parts: CommandBoxParts;
  readonly #child: ChildProcess;
  readonly #exit: Promise<void>;
  #isOver = false;
  #hasRun = false;

  constructor(parts: CommandBoxParts) {
    this.parts = parts;
    this.#child = startSandboxed(parts.launch);
    // The exit reports the failure to the caller.
    this.#child.on("error", () => {});
    this.#exit = new Promise((resolve) => {
      this.#child.once("exit", () => {
        this.#isOver = true;
        resolve();
      });
    });
  }

  get isWaiting(): boolean {
    return !this.#isOver;
  }

  /** Lets this process exit although the box still waits; the box ends with it. */
  rest(): void {
    this.#hold("unref");
  }

  run(order: BoxOrder, launch: Partial<SandboxLaunch>, signal: AbortSignal): Promise<SandboxEnd> {
    this.#hold("ref");
    this.#hasRun = true;
    sendLater(this.#child, this.parts.launch, encoded(order));
    return finishSandboxed(this.#child, { ...this.parts.launch, ...launch }, signal);
  }

  async close(): Promise<void> {
    const { group, view, shared } = this.parts;
    if (this.#hasRun) await Promise.race([this.#exit, delay(ENDING_MS, undefined, { ref: false })]);
    if (!this.#isOver && this.#child.pid !== undefined) await stopProcessGroup(this.#child.pid, 0);
    await group.remove();
    await view.close();
    shared.close();
  }

  #hold(how: "ref" | "unref"): void {
    this.#child[how]();
    for (const stream of this.#child.stdio) (stream as Socket | null)?.[how]?.();
  }
}

/** How long a finished box may take to disappear before it is killed. */
const ENDING_MS = 2_000;

/**
 * Returns the arguments of the waiting shell. It reads an order from one descriptor and reports its exit on another.
 */
export function waitingShell(orders: number, status: number): readonly [string, ...string[]] {
  const script = [
    `${ASKS_HOST}; mapfile -d '' -t -u ${orders} _haft; exec ${orders}<&-`,
    `cd -- "\${_haft[0]}" || exit 126`,
    `for _pair in "\${_haft[@]:2+_haft[1]}"; do export "$_pair"; done`,
    `set -- "\${_haft[@]:2:_haft[1]}"; unset _haft _pair`,
    // A forked copy of this shell evaluates a bash line: starting another bash would double the time.
    `if [ "$1 $2 $#" = "bash -c 3" ]; then _haft=$3; set --; ( eval "$_haft" ) ${status}>&-; else "$@" ${status}>&-; fi`,
    `_status=$?; set -- /proc/[0-9]*; echo "$# $_status" >&${status}; exit $_status`,
  ].join("\n");
  return ["bash", "--norc", "--noprofile", "-c", script, "bash"];
}

/** Encodes NUL-terminated words: the directory, the number of arguments, the arguments, then the variables. */
function encoded({ cwd, argv, env }: BoxOrder): Buffer {
  const pairs = env.map(([name, value]) => `${name}=${value}`);
  return Buffer.from([cwd, String(argv.length), ...argv, ...pairs].map((word) => `${word}\0`).join(""));
}
