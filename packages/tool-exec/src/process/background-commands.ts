import { ToolError, token } from "@haft/core";
import type { CommandRun } from "@haft/core/capabilities";
import type { NewOutput } from "./new-output.js";

/** Reads the output of a running command, writes to it, and ends it. */
export type BackgroundRun = Pick<CommandRun, "write" | "output" | "close">;

/** A command that outlives its call. */
export interface BackgroundCommand {
  readonly id: string;
  readonly command: string;
  readonly cwd: string;
  readonly run: BackgroundRun;
  readonly output: NewOutput;
  /** Settles when it has ended and no process is left. Never rejects. */
  readonly ended: Promise<void>;
  /** Returns the exit code, or undefined while it runs. */
  exitCode(): number | undefined;
  stop(): Promise<void>;
}

interface BackgroundStart {
  readonly command: string;
  readonly cwd: string;
  readonly run: BackgroundRun;
  readonly output: NewOutput;
  /** Aborting it ends every process of the command. */
  readonly life: AbortController;
  /** Runs the command and returns the exit code. */
  execute(): Promise<number>;
}

/** The background commands of one runtime. They end with it. */
export class BackgroundCommands {
  readonly #commands = new Map<string, BackgroundCommand>();
  #started = 0;

  start({ life, execute, ...start }: BackgroundStart): BackgroundCommand {
    this.#started += 1;
    let exitCode: number | undefined;
    const finish = async (code: Promise<number>) => {
      const settled = await code.catch(() => STOPPED);
      await start.run.close();
      exitCode = settled;
    };
    const ended = finish(execute());
    const background: BackgroundCommand = {
      ...start,
      id: `p${this.#started}`,
      ended,
      exitCode: () => exitCode,
      stop: async () => {
        life.abort(new ToolError("CANCELLED", "The command was ended"));
        await ended;
      },
    };
    this.#commands.set(background.id, background);
    return background;
  }

  list(): readonly BackgroundCommand[] {
    return [...this.#commands.values()];
  }

  get(id: string): BackgroundCommand {
    const found = this.#commands.get(id);
    if (found !== undefined) return found;
    const known = [...this.#commands.keys()];
    throw new ToolError(
      "PROCESS_NOT_FOUND",
      `There is no background command ${JSON.stringify(id.slice(0, 40))}`,
      {
        hint: known.length === 0 ? "None was started." : `Known: ${known.join(", ")}.`,
      },
    );
  }

  async dispose(): Promise<void> {
    await Promise.all(this.list().map((command) => command.stop()));
  }
}

const STOPPED = 143;

export const BACKGROUND_COMMANDS = token<BackgroundCommands>(
  "background-commands",
  () => new BackgroundCommands(),
);
