import { describe, expect, it } from "vitest";
import { scrubbedEnvironment } from "./scrubbed-environment.js";

describe("the environment of a child", () => {
  it.each([
    "PATH",
    "LD_PRELOAD",
    "GIT_SSH_COMMAND",
    "GIT_EXTERNAL_DIFF",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_KEY_0",
    "PYTHONPATH",
    "PYTHONSTARTUP",
    "PERL5OPT",
    "RUBYOPT",
    "JAVA_TOOL_OPTIONS",
    "npm_config_script_shell",
    "NPM_CONFIG_REGISTRY",
    "NODE_PATH",
    "NODE_OPTIONS",
    "EDITOR",
  ])("a caller cannot set %s, because it changes what runs", (name) => {
    expect(scrubbedEnvironment({}, { [name]: "x" })[name]).toBeUndefined();
  });

  it.each(["MODE", "NODE_ENV", "DEBUG", "GIT_AUTHOR_NAME", "PYTHONUNBUFFERED"])(
    "a caller can set %s",
    (name) => {
      expect(scrubbedEnvironment({}, { [name]: "x" })[name]).toBe("x");
    },
  );

  it("no program waits for input, whatever the host or the caller sets", () => {
    const asked = { PAGER: "less", GIT_PAGER: "less", GIT_TERMINAL_PROMPT: "1", TERM: "xterm", CI: "" };
    expect(scrubbedEnvironment(asked, asked)).toMatchObject({
      PAGER: "cat",
      GIT_PAGER: "cat",
      GIT_TERMINAL_PROMPT: "0",
      TERM: "dumb",
      CI: "1",
    });
  });

  it("passes on only variables of the host that are known to be harmless", () => {
    expect(scrubbedEnvironment({ API_TOKEN: "t", LC_ALL: "C", HOME: "/h" })).toMatchObject({
      LC_ALL: "C",
      HOME: "/h",
    });
    expect(scrubbedEnvironment({ API_TOKEN: "t" })).not.toHaveProperty("API_TOKEN");
  });
});
