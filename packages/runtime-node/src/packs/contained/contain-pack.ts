import { pathToFileURL } from "node:url";
import { type AnyToolClass, ToolError, toolDefinition } from "@haft/core";
import { unannouncedTool } from "@haft/core/kernel";
import type { ContainedContext } from "./answer-requests.js";
import { ContainedPack, type ContainmentOptions } from "./contained-pack.js";
import type { ReportedTool } from "./pack-messages.js";

/**
 * Imports a pack in a separate process and returns its tools, which run there. Checks, approvals and writes stay in
 * this process.
 */
export async function containPack(
  entry: string,
  options: ContainmentOptions,
): Promise<readonly AnyToolClass[]> {
  if (process.versions.bun !== undefined || "Deno" in globalThis)
    throw new ToolError("PACK_FAILED", "A pack can be contained on Node only", {
      hint: "Run this program on Node, or load the pack without containPacks if you trust it.",
    });
  const packs = new ContainedPacks(pathToFileURL(entry).href, options);
  const tools = await packs.tools();
  return tools.map((tool) => containedTool(tool, packs));
}

/**
 * Keeps one process per running call, so that stopping one call stops no other. One idle process stays for the next
 * call, for a while.
 */
class ContainedPacks {
  readonly #entry: string;
  readonly #options: ContainmentOptions;
  #idle: ContainedPack | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(entry: string, options: ContainmentOptions) {
    this.#entry = entry;
    this.#options = options;
  }

  async tools(): Promise<readonly ReportedTool[]> {
    const { pack, tools } = await ContainedPack.start(this.#entry, this.#options);
    this.#keep(pack);
    return tools;
  }

  async run(tool: string, args: unknown, context: ContainedContext): Promise<unknown> {
    const kept = this.#idle;
    this.#idle = undefined;
    clearTimeout(this.#timer);
    const pack =
      kept === undefined || kept.isOver ? (await ContainedPack.start(this.#entry, this.#options)).pack : kept;
    try {
      return await pack.run(tool, args, context);
    } finally {
      if (this.#idle === undefined && !pack.isOver) this.#keep(pack);
      else await pack.end();
    }
  }

  #keep(pack: ContainedPack): void {
    const { idleMs = 30_000 } = this.#options;
    this.#idle = pack;
    this.#timer = setTimeout(() => {
      if (this.#idle === pack) this.#idle = undefined;
      void pack.end();
    }, idleMs).unref();
  }
}

function containedTool({ data, functions }: ReportedTool, packs: ContainedPacks): AnyToolClass {
  assertContainable(data);
  const { inject: _inject, ...definition } = data;
  const decided = {
    // The function cannot be called from here, so the call needs confirmation.
    ...(functions.includes("approval") && { approval: "confirm" }),
    ...(functions.includes("needsRead") && { needsRead: true }),
  };
  const checked = toolDefinition({ ...definition, ...decided } as never);
  return unannouncedTool(checked, (args, context) => packs.run(data.name, args, context));
}

function assertContainable({ name, inject = 0, permissions, alsoUses }: ReportedTool["data"]): void {
  const declared = [permissions, alsoUses].flat() as readonly string[];
  const beyond = declared.find((permission) => BEYOND.has(permission));
  if (inject === 0 && beyond === undefined) return;
  const reason = inject > 0 ? "it uses services" : `it needs ${beyond}`;
  throw new ToolError("PACK_FAILED", `The tool ${name} cannot be contained: ${reason}`, {
    hint: "Load this pack without containPacks if you trust it.",
  });
}

/** Permissions whose capabilities hand out streams and processes, which cannot cross processes. */
const BEYOND: ReadonlySet<string> = new Set(["ExecuteCommands", "RunCode"]);
