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
import type { JournalDisk } from "../journal/disk-journal.js";

/** A file that only its owner can read, for a journal. */
export function fileDisk(path: string, onClose: () => void): JournalDisk {
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;
  const descriptor = openSync(path, flags, 0o600);
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

/** That the file is there survives a power cut as well. */
function syncDirectory(directory: string): void {
  const descriptor = openSync(directory, constants.O_RDONLY);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
