import { userInfo } from "node:os";

/**
 * Returns the name of the account that runs this process and answers its questions. In a container the user may have a
 * number only.
 */
export function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}
