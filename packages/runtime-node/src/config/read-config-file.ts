import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { messageOf } from "@haft/core";
import { ConfigError } from "./config-error.js";
import { duplicateKey } from "./duplicate-key.js";

/** Reads the text of a configuration or role file. */
export async function readConfigFile(file: string): Promise<string> {
  return decodeConfig(file, await readConfigBytes(file));
}

/** Reads a file without waiting for a pipe or a device, and without exceeding the size limit. */
export function readConfigBytes(file: string): Promise<Uint8Array> {
  return withOpenFile(file, async (handle, size) => {
    if (size > MAX_CONFIG_BYTES) throw tooLarge(file, size);
    return handle.readFile();
  });
}

/**
 * Digests a program that is larger than a configuration may be. Returns undefined for any other file. Throws
 * CONFIG_TOO_LARGE beyond `room`: nobody has trusted the file yet, and each start digests it.
 */
export function digestProgram(file: string, room: number): Promise<DigestedProgram | undefined> {
  return withOpenFile(file, async (handle, size) => {
    if (size <= MAX_CONFIG_BYTES) return undefined;
    if (size > room) throw tooLarge(file, size, room);
    const hash = createHash("sha256");
    for await (const chunk of handle.createReadStream({ autoClose: false, end: size - 1 }))
      hash.update(chunk as Buffer);
    return { sha256: hash.digest("hex"), size };
  });
}

interface DigestedProgram {
  readonly sha256: string;
  readonly size: number;
}

async function withOpenFile<T>(
  file: string,
  work: (handle: FileHandle, size: number) => Promise<T>,
): Promise<T> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK).catch((cause) => {
    throw unreadable(file, cause);
  });
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw new ConfigError("CONFIG_UNREADABLE", `${file} is not a regular file`);
    return await work(handle, stat.size);
  } finally {
    await handle.close();
  }
}

/**
 * Parses JSON as data: a key such as `__proto__` stays an ordinary key, which the schema rejects.
 *
 * SECURITY: the error quotes nothing of the file. An untrusted configuration can name any file as its role.
 */
export function parseConfigJson(file: string, text: string): unknown {
  const value = parseJson(file, text);
  const twice = duplicateKey(text);
  if (twice === undefined) return value;
  throw new ConfigError(
    "CONFIG_MALFORMED",
    `${file}: line ${twice.line} repeats a key of line ${twice.firstLine}. Only one of the two values can apply: remove the other.`,
  );
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const reason = messageOf(cause).replace(/, (?:\.{3})?"[\s\S]*$/, "");
    throw new ConfigError("CONFIG_MALFORMED", `${file} is not JSON: ${reason.slice(0, 200)}`);
  }
}

const MAX_CONFIG_BYTES = 1024 * 1024;

export function decodeConfig(file: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ConfigError("CONFIG_MALFORMED", `${file} is not UTF-8 text`, { cause });
  }
}

export function unreadable(file: string, cause: unknown): ConfigError {
  const { code } = cause as NodeJS.ErrnoException;
  if (code === "ENOENT" || code === "ENOTDIR")
    return new ConfigError("CONFIG_NOT_FOUND", `File not found: ${file}`, { cause });
  return new ConfigError("CONFIG_UNREADABLE", `${file} cannot be read (${code ?? String(cause)})`, { cause });
}

function tooLarge(file: string, size: number, room = MAX_CONFIG_BYTES): ConfigError {
  const limit =
    room === MAX_CONFIG_BYTES ? `a configuration may have ${room}` : `trust covers at most ${room} more`;
  return new ConfigError("CONFIG_TOO_LARGE", `${file} has ${size} bytes; ${limit}`);
}
