import { MemoryWorkspace } from "@haft/core/memory";
import type { FileChange } from "@haft/core/workspace";

/** The storage of the documents, such as rows in a database or keys in a cloud store. */
export interface DocumentStore {
  load(): Promise<Readonly<Record<string, string>>>;
  save(documents: Readonly<Record<string, string>>): Promise<void>;
}

/**
 * A workspace over text documents that are stored elsewhere. It inherits reads and stale checks from the memory
 * workspace.
 */
export class DocumentWorkspace extends MemoryWorkspace {
  readonly #store: DocumentStore;

  static async open(store: DocumentStore): Promise<DocumentWorkspace> {
    return new DocumentWorkspace(store, await store.load());
  }

  private constructor(store: DocumentStore, documents: Readonly<Record<string, string>>) {
    super(documents);
    this.#store = store;
  }

  /** Applies all changes or none, then stores the result. */
  override async commit(changes: readonly FileChange[], call: Parameters<MemoryWorkspace["commit"]>[1]) {
    await super.commit(changes, call);
    const documents: Record<string, string> = {};
    for await (const { path, type } of this.walk("", { includeHidden: true }))
      if (type === "file") documents[path] = await this.readText(path);
    await this.#store.save(documents);
  }
}
