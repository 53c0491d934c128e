import { type KernelErrorCode, ToolError } from "@haft/core";
import { showPath } from "@haft/core/workspace";

/** Returns the code of a failed system call, or undefined for any other value. */
export function errnoOf(thrown: unknown): string | undefined {
  const code = thrown instanceof Error ? (thrown as NodeJS.ErrnoException).code : undefined;
  return typeof code === "string" && /^E[A-Z0-9]+$/.test(code) ? code : undefined;
}

/** Returns whether a path does not exist, including because a parent is a file. */
export function isMissing(thrown: unknown): boolean {
  const errno = errnoOf(thrown);
  return errno === "ENOENT" || errno === "ENOTDIR";
}

/**
 * Converts a failed system call to an error that a model can act on. The system's own message stays in the cause: it
 * names descriptors and absolute paths. Returns a ToolError unchanged.
 */
export function asToolError(thrown: unknown, path: string): unknown {
  const errno = ToolError.is(thrown) ? undefined : errnoOf(thrown);
  if (errno === undefined) return thrown;
  const [code, describe] = KNOWN[errno] ?? [
    "IO_ERROR",
    (shown: string) => `The file system failed on ${shown}: ${errno}`,
  ];
  return new ToolError(code, describe(showPath(path)), {
    hint: HINTS[code],
    details: { path, errno },
    cause: thrown,
  });
}

type Description = readonly [KernelErrorCode, (shown: string) => string];

const denied = (why: string): Description => [
  "PERMISSION_DENIED",
  (shown) => `The operating system denies this on ${shown}: ${why}`,
];
const full = (why: string): Description => ["DISK_FULL", (shown) => `Cannot write ${shown}: ${why}`];
const busy: Description = ["LIMIT_EXCEEDED", () => "Too many files are open in this process"];

const KNOWN: Readonly<Record<string, Description>> = {
  ENOENT: ["FILE_NOT_FOUND", (shown) => `File not found: ${shown}`],
  ENOTDIR: ["NOT_A_DIRECTORY", (shown) => `${shown} is not a directory`],
  EISDIR: ["IS_DIRECTORY", (shown) => `${shown} is a directory`],
  EEXIST: ["ALREADY_EXISTS", (shown) => `${shown} already exists`],
  ENOTEMPTY: ["DIRECTORY_NOT_EMPTY", (shown) => `${shown} is not empty`],
  ENXIO: ["NOT_A_FILE", (shown) => `${shown} is not a regular file`],
  ENAMETOOLONG: ["INVALID_PATH", (shown) => `Access denied: ${shown} is too long`],
  ELOOP: ["INVALID_PATH", (shown) => `Access denied: ${shown} goes through too many links`],
  EACCES: denied("permission denied"),
  EPERM: denied("not permitted"),
  EROFS: denied("the file system is read-only"),
  ENOSPC: full("the disk is full"),
  EDQUOT: full("the disk quota is used up"),
  EFBIG: ["FILE_TOO_LARGE", (shown) => `${shown} is larger than files may be here`],
  EMFILE: busy,
  ENFILE: busy,
};

const HINTS: Readonly<Partial<Record<string, string>>> = {
  DISK_FULL: "Nothing was changed. Free some space, then repeat the call.",
  PERMISSION_DENIED: "Repeating the call will not help; the user has to change the file's permissions.",
};
