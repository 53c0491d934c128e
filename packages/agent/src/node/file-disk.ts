import {
  closeSync,
  constants,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { openStateFile } from "@haft/runtime-node/state";
import type { JournalDisk } from "../journal/disk-journal.js";

/** Opens a journal file that only its owner can read. */
export function fileDisk(path: string, onClose: () => void): JournalDisk {
  const descriptor = openStateFile(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT);
  syncDirectory(dirname(path));
  return {
    read: () => readFileSync(descriptor),
    truncate: (size) => ftruncateSync(descriptor, size),
    append: (bytes) => {
      for (let written = 0; written < bytes.length; )
        written += writeSync(descriptor, bytes, written, bytes.length - written);
    },
    sync: () => fdatasyncSync(descriptor),
    close: () => {
      closeSync(descriptor);
      onClose();
    },
  };
}

/** Syncs the folder, so that the new file survives a power failure. */
function syncDirectory(directory: string): void {
  const descriptor = openSync(directory, constants.O_RDONLY);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
