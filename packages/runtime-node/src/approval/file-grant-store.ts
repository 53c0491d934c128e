import { join } from "node:path";
import type { GrantStore, SavedGrant } from "@haft/core/stores";
import { namesInState, readStateFile, withoutDamaged } from "../journal/state-file.js";
import { removePrivateFile, writePrivateFile } from "./private-file.js";

/** Stores project grants as private files beside the workspace's journal. Every lookup reads them again. */
export class FileGrantStore implements GrantStore {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async insert(grant: SavedGrant): Promise<void> {
    if (!IS_ID.test(grant.id)) throw new TypeError("not the id of a grant");
    await writePrivateFile(this.#file(grant.id), JSON.stringify(grant));
  }

  async list(): Promise<readonly SavedGrant[]> {
    return namesInState(this.#directory)
      .filter((name) => name.endsWith(".json"))
      .flatMap((name) => readGrant(join(this.#directory, name)) ?? [])
      .sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
  }

  async remove(id: string): Promise<boolean> {
    return IS_ID.test(id) && removePrivateFile(this.#file(id));
  }

  #file(id: string): string {
    return join(this.#directory, `${id}.json`);
  }
}

const IS_ID = /^[a-f0-9-]{1,64}$/;

/** Returns undefined for an invalid grant, which then grants nothing. */
function readGrant(file: string): SavedGrant | undefined {
  const text = textOf(file);
  try {
    const { expiresAt, shown, ...saved } = JSON.parse(text);
    const { id, label, match, scope, createdAt } = saved;
    const isGrant =
      typeof id === "string" && typeof match?.tool === "string" && typeof match.role === "string";
    if (!isGrant || scope !== "project") return undefined;
    return { id, label, match, scope, createdAt, ...(expiresAt && { expiresAt }), ...(shown && { shown }) };
  } catch {
    return undefined;
  }
}

function textOf(file: string): string {
  try {
    return readStateFile(file)?.toString("utf8") ?? "";
  } catch (thrown) {
    return withoutDamaged(thrown) ?? "";
  }
}
