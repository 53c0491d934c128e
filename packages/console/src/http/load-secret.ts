import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder, readStateFile } from "@haft/runtime-node/state";

/**
 * Loads or creates the secret that links and cookies derive from. A private file keeps it, so that both survive a
 * restart.
 */
export function loadSecret(directory: string): Uint8Array {
  const path = join(directory, "console.secret");
  makeFolder(directory);
  try {
    // Fails if the file exists, so that two servers that start together use the same secret.
    writeFileSync(path, randomBytes(SECRET_BYTES), { mode: 0o600, flag: "wx" });
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "EEXIST") throw thrown;
  }
  const secret = readStateFile(path);
  if (secret === undefined || secret.length < SECRET_BYTES)
    throw new Error(`${path} is damaged. Delete it and start again.`);
  return secret;
}

const SECRET_BYTES = 32;
