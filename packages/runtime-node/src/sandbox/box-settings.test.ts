import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TemporaryWorkspace, temporaryWorkspace } from "../../test-support/temporary-workspace.js";
import { boxSettings } from "./box-settings.js";
import { probeArguments } from "./bubblewrap-arguments.js";
import { bubblewrapSandbox } from "./bubblewrap-sandbox.js";
import { sandboxLimits } from "./sandbox-limits.js";

let place: TemporaryWorkspace;
let sandbox: ReturnType<typeof bubblewrapSandbox>;

beforeAll(async () => {
  place = await temporaryWorkspace({ "a.txt": "one\n" });
  const { workspace, stateDirectory } = place;
  sandbox = bubblewrapSandbox({ workspace, limits: sandboxLimits(), stateDirectory, env: process.env });
});
afterAll(async () => {
  await sandbox.dispose?.();
  await place.dispose();
});

async function run(line: string, kind: "code" | "command" = "code"): Promise<string> {
  const argv = ["bash", "-c", line] as const;
  const end = await sandbox.run({ argv, kind, timeoutMs: 20_000 }, new AbortController().signal);
  return `${end.stdout.text}${end.stderr.text}`;
}

describe.skipIf(!existsSync("/usr/bin/bwrap"))("the system settings of a box", () => {
  it.each(["code", "command"] as const)("FE20 resolve localhost (%s)", async (kind) => {
    expect(await run("getent hosts localhost", kind)).toMatch(/^(?:127\.0\.0\.1|::1)\s+localhost/);
  });

  it("FE20 let Maven find its programs and the home directory, but no passwords", async () => {
    const told = await run("ls -d /etc/maven/*; eval echo ~user", "command");
    expect(told).not.toContain("settings.xml");
    expect(told.includes("m2.conf")).toBe(existsSync("/etc/maven/m2.conf"));
    expect(told).toContain(`${process.env.HOME ?? "/tmp"}\n`);
  });

  it.each(["code", "command"] as const)("FE20 name the running user (%s)", async (kind) => {
    const python = "import os, pwd; print(pwd.getpwuid(os.getuid())[0])";
    expect(await run(`whoami; id -un; id -gn; python3 -c '${python}'`, kind)).toBe("user\n".repeat(4));
  });

  it.each(["code", "command"] as const)(
    "FE20 keep the user's number, also over a layer (%s)",
    async (kind) => {
      // An ordinary user has the id 0 where the layer is mounted.
      const ids = [process.geteuid?.(), process.getegid?.()].map(String);
      expect(probeArguments().join(" ")).toContain(`--uid ${ids[0]} --gid ${ids[1]}`);
      expect(await run("touch made; stat -c '%u %g' . made; id -u", kind)).toBe(
        `${ids.join(" ")}\n${ids.join(" ")}\n${ids[0]}\n`,
      );
    },
  );

  it("FE20 name the user for Node", async () => {
    expect(await run("node -p 'os.userInfo().username'", "command")).toBe("user\n");
  });

  it("FE19 name no other user and no other machine", async () => {
    expect(await run("cat /etc/hosts", "command")).toBe("127.0.0.1 localhost\n::1 localhost\n");
    const [uid, gid] = [process.getuid?.(), process.getgid?.()];
    expect(await run("cat /etc/passwd /etc/group", "command")).toBe(
      [
        `user:x:${uid}:${gid}::${process.env.HOME ?? "/tmp"}:/bin/sh`,
        "nobody:x:65534:65534::/:/bin/false",
        `user:x:${gid}:`,
        "nogroup:x:65534:\n",
      ].join("\n"),
    );
    expect(await run("ls -a /etc", "command")).not.toMatch(/shadow|sudoers|ssh|machine-id/);
  });

  it("FE21 survive folders of the host that disappear", () => {
    const { mounts } = boxSettings(place.stateDirectory, { home: "/tmp" });
    const [option, , at, ...others] = mounts;
    expect([option, at]).toEqual(["--ro-bind", "/etc"]);
    expect(new Set(others.filter((_, index) => index % 3 === 0))).toEqual(new Set(["--ro-bind-try"]));
  });

  it("FE21 name the remedy if they cannot be written", () => {
    writeFileSync(join(place.stateDirectory, "blocked"), "");
    const settings = () => boxSettings(join(place.stateDirectory, "blocked"), { home: "/tmp" });
    expect(settings).toThrow(
      expect.objectContaining({ code: "IO_ERROR", hint: expect.stringContaining("XDG_STATE_HOME") }),
    );
    mkdirSync(join(place.stateDirectory, "taken/box-etc/hosts"), { recursive: true });
    const taken = () => boxSettings(join(place.stateDirectory, "taken"), { home: "/tmp" });
    expect(taken).toThrow(/^The settings of the sandbox cannot be written to .*box-etc \(EISDIR\)$/);
  });

  it.each(["code", "command"] as const)(
    "FE21 leave no writable place without a size limit (%s)",
    async (kind) => {
      const places = ["/x", "/etc/x", "/dev/x", "/usr/x", "/etc/ssl/x", "/home/x", "/run/x"];
      const told = await run(
        `for at in ${places.join(" ")}; do { echo x > $at; } 2>/dev/null && echo "$at: written"; done; true`,
        kind,
      );
      expect(told).toBe("");
      expect(await run("echo x > ~/x && echo x > /tmp/x && echo x > /dev/shm/x && echo fine", kind)).toBe(
        "fine\n",
      );
    },
  );
});
