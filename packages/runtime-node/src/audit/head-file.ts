import { closeSync, constants, writeSync } from "node:fs";
import { dirname } from "node:path";
import type { AuditHead } from "@haft/core/stores";
import { makeFolder } from "../journal/make-folder.js";
import { parseObject } from "../journal/parse-object.js";
import { openStateFile, readStateFile } from "../journal/state-file.js";

/** A file that holds the end of an audit log. */
export class HeadFile {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Returns undefined if the file is missing or holds no head. */
  read(): AuditHead | undefined {
    const { seq, hash } = parseObject(readStateFile(this.path)?.toString("utf8") ?? "") ?? {};
    return isSequence(seq) && typeof hash === "string" ? { seq, hash } : undefined;
  }

  /** Writes the head in one write of fixed length, so that a crash leaves either the old head or the new one. */
  write({ seq, hash }: AuditHead): void {
    makeFolder(dirname(this.path));
    const file = openStateFile(this.path, constants.O_WRONLY | constants.O_CREAT);
    try {
      writeSync(file, `${JSON.stringify({ seq, hash }).padEnd(HEAD_BYTES - 1)}\n`, 0);
    } finally {
      closeSync(file);
    }
  }
}

function isSequence(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

const HEAD_BYTES = 128;
