import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type TemporaryWorkspace, temporaryWorkspace } from "../../test-support/temporary-workspace.js";
import { FileSecrets } from "./file-secrets.js";
import { secretsIn } from "./secrets-in-file.js";

describe("secretsIn", () => {
  it.each([
    ["API_KEY=abc-123", ["abc-123"]],
    ["export DB_PASSWORD='p w 12'", ["p w 12"]],
    ["//registry.npmjs.org/:_authToken=npm-tok-1", ["npm-tok-1"]],
    ["DATABASE_URL=postgres://u:hunter2@h/db", ["hunter2"]],
    ["machine h login me password s3cret!", ["s3cret!"]],
    ["host:5432:db:me:pa55word", ["pa55word"]],
    ['  "client_secret": "Zm9vYmFy1",', ["Zm9vYmFy1"]],
    ["MIIEvQIBADANBgkqhkiG9w0BAQEFAASC", ["MIIEvQIBADANBgkqhkiG9w0BAQEFAASC"]],
    ["SESSION=aB3dE5gH7jK9mN1p # rotate", ["aB3dE5gH7jK9mN1p"]],
  ])("finds what is secret in %s", (line, expected) => {
    expect(secretsIn(`# words\n${line}\n`)).toEqual(expected);
  });

  it.each([
    ...[
      "NODE_ENV=production",
      "HOST=localhost",
      "AUTH_MODE=optional",
      "PORT=3000",
      "# a comment about a token here",
    ],
    ...[
      "registry=https://registry.npmjs.org/",
      "-----BEGIN RSA PRIVATE KEY-----",
      "KEY=",
      "LOG=debug",
      "key = true",
    ],
  ])("leaves what is ordinary: %s", (line) => {
    expect(secretsIn(line)).toEqual([]);
  });
});

describe("FileSecrets", () => {
  let place: TemporaryWorkspace;
  beforeEach(async () => {
    place = await temporaryWorkspace({
      ".env": "KEY=first-value-1\n",
      "deep/er/.env.local": "TOKEN=second-value-2\n",
      "node_modules/x/.env": "KEY=foreign-value-3\n",
      ".env.example": "KEY=example-value-4\n",
      "plain.txt": "TOKEN=plain-value-5\n",
    });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    return place.dispose();
  });

  const all = "first-value-1 second-value-2 foreign-value-3 example-value-4 plain-value-5";

  it("S4.005.c P9 takes out the values of sensitive files, wherever they lie, and no others", () => {
    const { redact } = new FileSecrets(place.workspace.local);
    expect(redact(all)).toBe(
      "[secret:.env] [secret:.env.local] foreign-value-3 example-value-4 plain-value-5",
    );
  });

  it("sees at once that a known file has changed, and a new one a little later", () => {
    const { redact } = new FileSecrets(place.workspace.local);
    redact("x");
    writeFileSync(join(place.root, ".env"), "KEY=changed-value-6\n");
    expect(redact("first-value-1 changed-value-6")).toBe("first-value-1 [secret:.env]");
    rmSync(join(place.root, ".env"));
    expect(redact("changed-value-6")).toBe("changed-value-6");
    writeFileSync(join(place.root, "server.key"), "KEY=later-value-7\n");
    const later = performance.now() + 60_000;
    vi.spyOn(performance, "now").mockReturnValue(later);
    expect(redact("later-value-7")).toBe("[secret:server.key]");
  });

  it("reads nothing outside, by a link or a folder that is one", () => {
    writeFileSync(join(place.outside, ".env"), "KEY=outside-value-8\n");
    symlinkSync(join(place.outside, ".env"), join(place.root, ".env.link"));
    symlinkSync(place.outside, join(place.root, "out"));
    mkdirSync(join(place.root, ".env.d"));
    expect(new FileSecrets(place.workspace.local).redact("outside-value-8")).toBe("outside-value-8");
  });
});
