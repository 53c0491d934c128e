import { textIfReadable } from "../fs/if-readable.js";

interface KnownAccounts {
  /** /etc/passwd. */
  readonly passwd: string;
  /** /etc/group. */
  readonly group: string;
}

/**
 * Returns whether a group has no other members: many systems give each user a group of the same name, and let
 * groups write. Accounts of a directory service are in neither file; their own group bears the user's number.
 */
export function isAloneInGroup(
  gid: number,
  own = process.getuid?.() ?? -1,
  { passwd, group }: KnownAccounts = readAccounts(),
): boolean {
  const users = fieldsOf(passwd);
  const name = users.find(([, , uid]) => Number(uid) === own)?.[0];
  const listed = fieldsOf(group).find(([, , id]) => Number(id) === gid);
  if (name === undefined || listed === undefined) return gid === own;
  const [groupName, , , members = ""] = listed;
  const isSharedBy = ([, , uid, primary]: readonly string[]) =>
    Number(primary) === gid && Number(uid) !== own;
  return groupName === name && (members === "" || members === name) && !users.some(isSharedBy);
}

function readAccounts(): KnownAccounts {
  return { passwd: textIfReadable("/etc/passwd") ?? "", group: textIfReadable("/etc/group") ?? "" };
}

function fieldsOf(text: string): readonly (readonly string[])[] {
  return text.split("\n").flatMap((line) => (line === "" ? [] : [line.split(":")]));
}
