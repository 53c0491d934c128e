import { userInfo } from "node:os";
import { afterEach, describe, expect, it, vi } from "vitest";
import { accountName } from "./account-name.js";

vi.mock("node:os", async (original) => {
  const os = await original<typeof import("node:os")>();
  return { ...os, userInfo: vi.fn(os.userInfo) };
});
afterEach(() => void vi.mocked(userInfo).mockClear());

describe("S13 the name of who answered", () => {
  it("is that of the account", () => {
    expect(accountName()).toBe(userInfo().username);
  });

  it("is a number in a container whose user has no name: an answer there counts too", () => {
    vi.mocked(userInfo).mockImplementationOnce(() => {
      throw new Error("A system error occurred: uv_os_get_passwd returned ENOENT");
    });
    expect(accountName()).toMatch(/^uid \d+$/);
  });
});
