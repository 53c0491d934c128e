import { randomUUID } from "node:crypto";
import { link, open, rename, rm, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolder } from "../journal/make-folder.js";

/** Writes a file only its owner can read; after a crash it is there whole or not at all. */
export async function writePrivateFile(file: string, text: string): Promise<void> {
  const temporary = await writeTemporary(file, text);
  try {
    await rename(temporary, file);
  } catch (cause) {
    await rm(temporary, { force: true });
    throw cause;
  }
  await syncDirectory(dirname(file));
}

/** The same, but false when the file is there already: of several writers exactly one succeeds. */
export async function createPrivateFile(file: string, text: string): Promise<boolean> {
  const temporary = await writeTemporary(file, text);
  try {
    await link(temporary, file);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw cause;
  } finally {
    await rm(temporary, { force: true });
  }
  await syncDirectory(dirname(file));
  return true;
}

/** True when this call is the one that took the file away. */
export async function removePrivateFile(file: string): Promise<boolean> {
  try {
    // Not `rm`, which takes a file that somebody else has just removed for its own work.
    await unlink(file);
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw cause;
  }
}

async function writeTemporary(file: string, text: string): Promise<string> {
  makeFolder(dirname(file));
  const temporary = `${file}.${randomUUID()}.tmp`;
  const handle = await open(temporary, "wx", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } catch (cause) {
    await rm(temporary, { force: true });
    throw cause;
  } finally {
    await handle.close();
  }
  return temporary;
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
