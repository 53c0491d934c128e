import { randomUUID } from "node:crypto";
import { link, open, rename, rm, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolder } from "../journal/make-folder.js";
import { stateDamaged } from "../journal/state-file.js";

/** Writes a file that only its owner can read. After a crash it is complete or absent. */
export async function writePrivateFile(file: string, text: string): Promise<void> {
  const temporary = await writeTemporary(file, text);
  try {
    await rename(temporary, file);
  } catch (cause) {
    await rm(temporary, { force: true });
    throw isFolderThere(cause) ? stateDamaged(file, IS_FOLDER) : cause;
  }
  await syncDirectory(dirname(file));
}

/** Creates a private file, or returns false if it exists. Of several writers exactly one succeeds. */
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

/** Returns true if this call removed the file. */
export async function removePrivateFile(file: string): Promise<boolean> {
  try {
    // Not `rm`: it also succeeds when another process removes the file at the same moment.
    await unlink(file);
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw isFolderThere(cause) ? stateDamaged(file, IS_FOLDER) : cause;
  }
}

const IS_FOLDER = "is a folder, not a file";

function isFolderThere(cause: unknown): boolean {
  return ["EISDIR", "ENOTEMPTY"].includes((cause as NodeJS.ErrnoException).code ?? "");
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
