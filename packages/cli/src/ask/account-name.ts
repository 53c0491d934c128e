import { userInfo } from "node:os";

/** Returns the name of the account that answers questions here. In a container the user may have a number only. */
export function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}
