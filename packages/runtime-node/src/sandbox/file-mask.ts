import type { SandboxRequest } from "@haft/core/capabilities";

/**
 * Returns what a box mounts over a hidden file. An empty file lets programs that read everything succeed. It is only for
 * runs that leave nothing but changes of their view, which are judged before they are applied: git could commit the
 * empty content, a build could copy it into a shared folder, and others could send it. They get a device, which nothing
 * in a box can open.
 */
export function fileMask(
  { repository = "masked", passThrough = "none", network, ports }: SandboxRequest,
  emptyFile: string,
): string {
  const isRecorded = repository === "masked" && passThrough === "none";
  return isRecorded && network === undefined && ports === undefined ? emptyFile : "/dev/null";
}
