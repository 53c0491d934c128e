import { type AnyToolClass, messageOf } from "@haft/core";
import type { LocalRuntime } from "@haft/core/kernel";
import { nearestNames, renderInline } from "@haft/text";
import type { Tool } from "@modelcontextprotocol/client";
import { AttachedRuntime, onDispose } from "./attached-runtime.js";
import { type ForeignTool, foreignTool } from "./foreign-tool.js";
import type { McpServerAddress, MountedServer, MountOptions, SkippedTool } from "./mount-options.js";
import { PacedRefresh } from "./paced-refresh.js";
import { connectServer, type ServerConnection, type ToolListing } from "./server-connection.js";
import { listedTool } from "./wire-shapes.js";

/**
 * Connects to another MCP server and wraps its tools: they require permissions and approval, and their results are
 * marked as untrusted. Rejects if the server cannot be reached or listed.
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
  readonly #changes = new PacedRefresh(
    () => this.refresh(),
    (error) => this.#report(error),
  );
  #closing: Promise<void> | undefined;

  constructor(connection: ServerConnection, address: McpServerAddress, options: MountOptions) {
    this.#connection = connection;
    this.#address = address;
    this.#options = options;
    connection.client.setNotificationHandler("notifications/tools/list_changed", () => {
      this.#changes.request();
    });
  }

  get tools(): readonly AnyToolClass[] {
    return [...this.#current.values()].map(({ toolClass }) => toolClass);
  }

  get skipped(): readonly SkippedTool[] {
    return this.#skipped;
  }

  /** Keeps tools whose description did not change. */
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

  attach(runtime: LocalRuntime): () => void {
    const attached = new AttachedRuntime(runtime, (message) => this.#options.onMessage?.(message));
    this.#attached.add(attached);
    attached.offer(this.tools);
    onDispose(runtime, () => this.#onDisposed(attached));
    return () => {
      this.#attached.delete(attached);
      attached.offer([]);
    };
  }

  /** Closes the server with the last runtime that uses its tools. */
  async #onDisposed(attached: AttachedRuntime): Promise<void> {
    if (this.#attached.delete(attached) && this.#attached.size === 0) await this.close();
  }

  close(): Promise<void> {
    this.#changes.close();
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
    if (!isWhole) skip("the rest", `at most ${entries.length} tools of one server are mounted`);
    const offered: string[] = [];
    for (const entry of entries) {
      const tool = listedTool(entry);
      if (typeof tool === "string") {
        skip("", tool);
        continue;
      }
      offered.push(tool.name);
      if (this.#isWanted(tool)) {
        try {
          const made = this.#make(tool);
          if (found.has(made.name)) skip(tool.name, `another of its tools has the same name, ${made.name}`);
          else found.set(made.name, made);
        } catch (error) {
          skip(tool.name, messageOf(error));
        }
      }
    }
    for (const { name, reason } of this.#notOffered(offered, isWhole)) skip(name, reason);
    return { found: [...found.values()], skipped };
  }

  /** The tools that the options ask for and the server does not have. */
  #notOffered(offered: readonly string[], isWhole: boolean): readonly SkippedTool[] {
    const missing = (this.#options.tools ?? []).filter((name) => !offered.includes(name));
    return missing.map((name) => {
      const [nearest] = nearestNames(name, offered, 1);
      const advice = nearest === undefined ? "" : `; did you mean ${nearest}?`;
      if (isWhole) return { name, reason: `the server does not offer it${advice}` };
      return { name, reason: `it is not among the first ${offered.length} tools of the server` };
    });
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

  #report(error: unknown): void {
    this.#options.onMessage?.(
      `could not list the changed tools of ${this.#options.name}: ${messageOf(error)}`,
    );
  }
}
