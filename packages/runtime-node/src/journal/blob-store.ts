import { createHash } from "node:crypto";
import { closeSync, existsSync, lstatSync, readFile, unlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { HeldDirectory } from "../workspace/held-directory.js";
import { moveOver } from "../workspace/move-entry.js";
import { tempName } from "../workspace/temp-name.js";
import { writeNewFile } from "../workspace/write-new-file.js";
import { namesInState, openStateFile } from "./state-file.js";

/** Stores former file contents, each once, compressed, under its hash. */
export class BlobStore {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Stores bytes. Returns their name and the number of bytes added to the store. */
  async put(bytes: Uint8Array, options: { readonly durable: boolean }): Promise<StoredBlob> {
    const name = `${createHash("sha256").update(bytes).digest("hex")}.gz`;
    if (existsSync(join(this.#path, name))) return { name, storedBytes: 0 };
    const { pack } = await packing();
    const packed = await pack(bytes);
    const directory = HeldDirectory.open(this.#path);
    try {
      const temp = tempName(name, process.pid);
      await writeNewFile(directory, temp, { content: [packed], mode: 0o600, durable: options.durable });
      await moveOver({ directory, name: temp }, { directory, name });
    } finally {
      directory.close();
    }
    return { name, storedBytes: packed.length };
  }

  async get(name: string): Promise<Uint8Array> {
    const { unpack } = await packing();
    const descriptor = openStateFile(join(this.#path, name));
    try {
      return await unpack(await promisify(readFile)(descriptor));
    } finally {
      closeSync(descriptor);
    }
  }

  /** Deletes all blobs except the given names, including files that a crash left half written. */
  keepOnly(names: ReadonlySet<string>): void {
    for (const name of namesInState(this.#path))
      if (!names.has(name) && lstatSync(join(this.#path, name)).isFile()) unlinkSync(join(this.#path, name));
  }
}

interface StoredBlob {
  readonly name: string;
  readonly storedBytes: number;
}

// Loaded when the first content is stored: a runtime that only reads stores none.
function packing(): Promise<typeof import("./pack-bytes.js")> {
  return import("./pack-bytes.js");
}
