import { describe, expect, it } from "vitest";
import { isAloneInGroup } from "./alone-in-group.js";

const passwd = `root:x:0:0:root:/root:/bin/sh
ann:x:1001:1001::/home/ann:/bin/sh
bob:x:1002:1002::/home/bob:/bin/sh
eve:x:1003:1003::/home/eve:/bin/sh
mallory:x:1004:1003:has eve's group as his own:/:/bin/sh
`;
const group = `root:x:0:
users:x:100:
ann:x:1001:
bob:x:1002:ann
eve:x:1003:eve
`;
const among = (gid: number, own: number) => isAloneInGroup(gid, own, { passwd, group });

describe("FE17 whether a group is the user's own", () => {
  it.each([
    ["the group of the same name", 1001, 1001, true],
    ["root's", 0, 0, true],
    ["one of the same name that lists another member", 1002, 1002, false],
    ["one of the same name that is the first group of another user", 1003, 1003, false],
    ["one of another name, though nobody is listed in it", 100, 1001, false],
    ["the group of another user", 1002, 1001, false],
    ["a group that is not listed", 4711, 1001, false],
    ["the user's own number, of a user and a group that are not listed", 7000, 7000, true],
    ["another number, of a user that is not listed", 100, 7000, false],
  ])("%s: group %i of user %i is %s", (_what, gid, own, expected) => {
    expect(among(gid, own)).toBe(expected);
  });
});
