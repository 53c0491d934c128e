import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, unlinkSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { HeldDirectory } from "../workspace/held-directory.js";
import { renameAcross } from "../workspace/move-entry.js";
import { tempName } from "../workspace/temp-name.js";
import { writeNewFile } from "../workspace/write-new-file.js";

/** Former contents of files, each kept once, compressed, under the hash of what it holds. */
export class BlobStore {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Keeps bytes; the name to get them back by, and how much more is stored now. */
  async put(bytes: Uint8Array, options: { readonly durable: boolean }): Promise<StoredBlob> {
    const name = `${createHash("sha256").update(bytes).digest("hex")}.gz`;
    if (existsSync(join(this.#path, name))) return { name, storedBytes: 0 };
    const { pack } = await packing();
    const packed = await pack(bytes);
    const directory = HeldDirectory.open(this.#path);
    try {
      const temp = tempName(name, process.pid);
      await writeNewFile(directory, temp, { content: [packed], mode: 0o600, durable: options.durable });
      await renameAcross({ directory, name: temp }, { directory, name });
    } finally {
      directory.close();
    }
    return { name, storedBytes: packed.length };
  }

  async get(name: string): Promise<Uint8Array> {
    const { unpack } = await packing();
    return unpack(await readFile(join(this.#path, name)));
  }

  /** Forgets everything but the given names, including what a crash left half written. */
  keepOnly(names: ReadonlySet<string>): void {
    for (const name of readdirSync(this.#path))
      if (!names.has(name) && lstatSync(join(this.#path, name)).isFile()) unlinkSync(join(this.#path, name));
  }
}

export interface StoredBlob {
  readonly name: string;
  readonly storedBytes: number;
}

// Loaded by the first content that is kept: a runtime that only reads keeps none.
function packing(): Promise<typeof import("./pack-bytes.js")> {
  return import("./pack-bytes.js");
}
