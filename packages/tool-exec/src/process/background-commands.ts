import { type CommandRun, ToolError, token } from "@haft/core";
import type { NewOutput } from "./new-output.js";

/** A command that runs on after its call has answered. */
export interface BackgroundCommand {
  readonly id: string;
  readonly command: string;
  readonly cwd: string;
  readonly run: CommandRun;
  readonly output: NewOutput;
  /** Settles when it has ended and nothing of it is left; never rejects. */
  readonly ended: Promise<void>;
  /** How it ended; undefined while it runs. */
  exitCode(): number | undefined;
  stop(): Promise<void>;
}

export interface BackgroundStart {
  readonly command: string;
  readonly cwd: string;
  readonly run: CommandRun;
  readonly output: NewOutput;
  /** Aborting it ends every process of the command. */
  readonly life: AbortController;
  /** Carries the command out; the exit code. */
  carryOut(): Promise<number>;
}

/** The background commands of one runtime. When the runtime ends, so do they. */
export class BackgroundCommands {
  readonly #commands = new Map<string, BackgroundCommand>();
  #started = 0;

  start({ life, carryOut, ...start }: BackgroundStart): BackgroundCommand {
    this.#started += 1;
    let exitCode: number | undefined;
    const finish = async (code: Promise<number>) => {
      const settled = await code.catch(() => STOPPED);
      await start.run.close();
      exitCode = settled;
    };
    const ended = finish(carryOut());
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
