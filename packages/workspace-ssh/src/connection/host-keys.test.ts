import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noSshd } from "../../test-support/loopback-sshd.js";
import { hostVerifier } from "./host-keys.js";

describe.skipIf(noSshd() !== undefined)("known hosts", () => {
  let folder: string;
  let known: string;
  let key: { type: string; text: string; bytes: Buffer };
  let other: Buffer;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "haft-known-hosts-"));
    known = join(folder, "known_hosts");
    key = makeKey("a");
    other = makeKey("b").bytes;
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function makeKey(name: string) {
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", join(folder, name)]);
    const [type = "", text = ""] = readFileSync(join(folder, `${name}.pub`), "utf8").split(" ");
    return { type, text, bytes: Buffer.from(text, "base64") };
  }

  const accepts = async (line: string, host: string, port?: number) => {
    writeFileSync(known, `# a comment\n\n${line}\n`);
    return (await hostVerifier({ host, port, knownHosts: known }))(key.bytes);
  };

  it.each([
    ["example.com", "example.com", undefined, true],
    ["example.com", "EXAMPLE.com", 22, true],
    ["example.com,10.0.0.1", "10.0.0.1", undefined, true],
    ["example.com", "example.com", 2222, false],
    ["[example.com]:2222", "example.com", 2222, true],
    ["*.example.com", "a.example.com", undefined, true],
    ["*.example.com", "example.com", undefined, false],
    ["*.example.com,!bad.example.com", "bad.example.com", undefined, false],
    ["h?st", "host", undefined, true],
    ["hosts", "host", undefined, false],
  ])("%s matches %s port %s: %s", async (hosts, host, port, expected) => {
    expect(await accepts(`${hosts} ${key.type} ${key.text} comment`, host, port)).toBe(expected);
  });

  it("reads names that ssh-keygen hashed", async () => {
    writeFileSync(known, `example.com ${key.type} ${key.text}\n`);
    execFileSync("ssh-keygen", ["-q", "-H", "-f", known], { stdio: "ignore" });
    expect(readFileSync(known, "utf8")).toMatch(/^\|1\|/);
    expect((await hostVerifier({ host: "example.com", knownHosts: known }))(key.bytes)).toBe(true);
    expect((await hostVerifier({ host: "example.org", knownHosts: known }))(key.bytes)).toBe(false);
  });

  it("rejects another key, a revoked key, an authority, and everything without a file", async () => {
    writeFileSync(known, `example.com ${key.type} ${key.text}\n`);
    expect((await hostVerifier({ host: "example.com", knownHosts: known }))(other)).toBe(false);
    expect(await accepts(`@cert-authority * ${key.type} ${key.text}`, "example.com")).toBe(false);
    const both = `example.com ${key.type} ${key.text}\n@revoked * ${key.type} ${key.text}`;
    expect(await accepts(both, "example.com")).toBe(false);
    const nowhere = join(folder, "nowhere");
    expect((await hostVerifier({ host: "example.com", knownHosts: nowhere }))(key.bytes)).toBe(false);
  });

  it("accepts the fingerprints that ssh-keygen prints", async () => {
    const [, fingerprint = ""] = execFileSync("ssh-keygen", ["-lf", join(folder, "a.pub")], {
      encoding: "utf8",
    }).split(" ");
    const verify = await hostVerifier({ host: "example.com", hostKeys: [fingerprint] });
    expect([verify(key.bytes), verify(other)]).toEqual([true, false]);
  });
});
