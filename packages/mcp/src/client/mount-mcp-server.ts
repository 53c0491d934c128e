import { type AnyToolClass, definitionOf, messageOf, type ToolRuntime } from "@haft/core";
import { renderInline } from "@haft/text";
import type { Tool } from "@modelcontextprotocol/client";
import { type ForeignTool, foreignTool } from "./foreign-tool.js";
import type { McpServerAddress, MountedServer, MountOptions, SkippedTool } from "./mount-options.js";
import { connectServer, type ServerConnection, type ToolListing } from "./server-connection.js";
import { listedTool } from "./wire-shapes.js";

/**
 * Connects to another MCP server and makes its tools tools of ours: under permissions, asked about,
 * and with answers that are marked as foreign. Rejects when the server cannot be reached or listed.
 */
export async function mountMcpServer(
  address: McpServerAddress,
  options: MountOptions,
): Promise<MountedServer> {
  const connection = await connectServer(address, options);
  const mounted = new Mounted(connection, address, options);
  try {
    await mounted.refresh();
    return mounted;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

class Mounted implements MountedServer {
  readonly #connection: ServerConnection;
  readonly #address: McpServerAddress;
  readonly #options: MountOptions;
  readonly #attached = new Set<AttachedRuntime>();
  #current = new Map<string, ForeignTool>();
  #skipped: readonly SkippedTool[] = [];
  #refreshing: Promise<void> = Promise.resolve();
  #closing: Promise<void> | undefined;

  constructor(connection: ServerConnection, address: McpServerAddress, options: MountOptions) {
    this.#connection = connection;
    this.#address = address;
    this.#options = options;
    connection.client.setNotificationHandler("notifications/tools/list_changed", () => {
      this.#refreshing = this.#refreshing
        .then(() => this.refresh())
        .catch((error: unknown) => this.#tell(error));
    });
  }

  get tools(): readonly AnyToolClass[] {
    return [...this.#current.values()].map(({ toolClass }) => toolClass);
  }

  get skipped(): readonly SkippedTool[] {
    return this.#skipped;
  }

  /** A tool that is described as before stays the one it was. */
  async refresh(): Promise<void> {
    const before = this.#current;
    const { found, skipped } = this.#read(await this.#connection.listTools());
    this.#current = new Map(
      found.map((tool) => {
        const known = before.get(tool.name);
        return [tool.name, known?.revision === tool.revision ? known : tool];
      }),
    );
    this.#skipped = skipped;
    for (const runtime of this.#attached) runtime.offer(this.tools);
  }

  attach(runtime: ToolRuntime): () => void {
    const attached = new AttachedRuntime(runtime, (message) => this.#options.onMessage?.(message));
    this.#attached.add(attached);
    attached.offer(this.tools);
    endWith(runtime, () => this.#ended(attached));
    return () => {
      this.#attached.delete(attached);
      attached.offer([]);
    };
  }

  /** The server is of use for as long as one of the runtimes that have its tools is. */
  async #ended(attached: AttachedRuntime): Promise<void> {
    if (this.#attached.delete(attached) && this.#attached.size === 0) await this.close();
  }

  close(): Promise<void> {
    this.#closing ??= this.#connection.close();
    return this.#closing;
  }

  #read({ entries, isWhole }: ToolListing): {
    found: readonly ForeignTool[];
    skipped: readonly SkippedTool[];
  } {
    const found = new Map<string, ForeignTool>();
    const skipped: SkippedTool[] = [];
    const skip = (name: string, reason: string) =>
      skipped.push({
        name: renderInline(name, { maxChars: 100 }),
        reason: renderInline(reason, { maxChars: 300 }),
      });
    if (!isWhole) skip("the rest", `of one server ${entries.length} tools are taken, and it has more`);
    for (const entry of entries) {
      const tool = listedTool(entry);
      if (typeof tool === "string") skip("", tool);
      else if (this.#isWanted(tool)) {
        try {
          const made = this.#make(tool);
          if (found.has(made.name)) skip(tool.name, `another of its tools is called ${made.name} here`);
          else found.set(made.name, made);
        } catch (error) {
          skip(tool.name, messageOf(error));
        }
      }
    }
    return { found: [...found.values()], skipped };
  }

  #isWanted({ name }: Tool): boolean {
    return this.#options.tools === undefined || this.#options.tools.includes(name);
  }

  #make(tool: Tool): ForeignTool {
    return foreignTool(tool, {
      client: this.#connection.client,
      address: this.#address,
      options: this.#options,
      isCurrent: ({ name, revision }) => this.#current.get(name)?.revision === revision,
    });
  }

  #tell(error: unknown): void {
    this.#options.onMessage?.(
      `the changed tools of ${this.#options.name} could not be listed: ${messageOf(error)}`,
    );
  }
}

/** What one runtime has of a server's tools. */
class AttachedRuntime {
  readonly #given = new Map<AnyToolClass, () => void>();

  constructor(
    readonly runtime: ToolRuntime,
    readonly tell: (message: string) => void,
  ) {}

  /** Takes away what is not offered any more before it gives what is new, which may have the same name. */
  offer(tools: readonly AnyToolClass[]): void {
    for (const [tool, takeAway] of this.#given) {
      if (tools.includes(tool)) continue;
      takeAway();
      this.#given.delete(tool);
    }
    for (const tool of tools) if (!this.#given.has(tool)) this.#give(tool);
  }

  /** A name that is taken stays whose it is: a server cannot put itself in the place of another tool. */
  #give(tool: AnyToolClass): void {
    try {
      this.#given.set(tool, this.runtime.registry.register(tool));
    } catch (error) {
      this.tell(`${definitionOf(tool).name} was not mounted: ${messageOf(error)}`);
    }
  }
}

/** A runtime says nothing when it ends, so its end is made to say it. */
function endWith(runtime: ToolRuntime, ended: () => Promise<void>): void {
  const end = runtime.dispose.bind(runtime);
  const dispose = async () => {
    const [disposed] = await Promise.allSettled([end(), ended()]);
    if (disposed.status === "rejected") throw disposed.reason;
  };
  Object.assign(runtime, {
    dispose,
    ...(Symbol.asyncDispose in runtime && { [Symbol.asyncDispose]: dispose }),
  });
}
