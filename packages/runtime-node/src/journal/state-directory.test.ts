import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { stateHome } from "./state-directory.js";

vi.mock("node:os", async (original) => {
  const os = await original<typeof import("node:os")>();
  return { ...os, homedir: vi.fn(os.homedir) };
});

describe("FE17 the folder of the state", () => {
  it("is where XDG_STATE_HOME says, or in the home folder", () => {
    expect(stateHome({ XDG_STATE_HOME: "/state" })).toBe("/state/haft");
    expect(stateHome({ XDG_STATE_HOME: "relative" })).toBe(join(homedir(), ".local", "state", "haft"));
  });

  it("is asked for where the user of a container has no home folder", () => {
    vi.mocked(homedir).mockImplementationOnce(() => {
      throw new Error("A system error occurred: uv_os_homedir returned ENOENT");
    });
    expect(() => stateHome({})).toThrow(
      expect.objectContaining({ code: "IO_ERROR", hint: expect.stringContaining("XDG_STATE_HOME") }),
    );
    expect(stateHome({ XDG_STATE_HOME: "/state" })).toBe("/state/haft");
  });
});
