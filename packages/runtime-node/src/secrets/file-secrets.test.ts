import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type TemporaryWorkspace, temporaryWorkspace } from "../../test-support/temporary-workspace.js";
import { FileSecrets } from "./file-secrets.js";

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

  it("S4.005.c P9 redacts the values of sensitive files, wherever they are, and no others", () => {
    const { redact } = new FileSecrets(place.workspace.local);
    expect(redact(all)).toBe(
      "[secret:.env] [secret:.env.local] foreign-value-3 example-value-4 plain-value-5",
    );
  });

  it("notices soon that a known file has changed, and a new one a little later", () => {
    const { redact } = new FileSecrets(place.workspace.local);
    const now = performance.now();
    const clock = vi.spyOn(performance, "now").mockReturnValue(now);
    redact("x");
    writeFileSync(join(place.root, ".env"), "KEY=changed-value-6\n");
    clock.mockReturnValue(now + 260);
    expect(redact("first-value-1 changed-value-6")).toBe("first-value-1 [secret:.env]");
    rmSync(join(place.root, ".env"));
    clock.mockReturnValue(now + 520);
    expect(redact("changed-value-6")).toBe("changed-value-6");
    writeFileSync(join(place.root, "server.key"), "KEY=later-value-7\n");
    clock.mockReturnValue(now + 60_000);
    expect(redact("later-value-7")).toBe("[secret:server.key]");
  });

  it("a file whose folder becomes inaccessible loses its values, never the output", () => {
    const { redact } = new FileSecrets(place.workspace.local);
    expect(redact("second-value-2")).toBe("[secret:.env.local]");
    // The superuser can open every folder; a file in its place blocks access too.
    renameSync(join(place.root, "deep/er"), join(place.root, "deep/other"));
    writeFileSync(join(place.root, "deep/er"), "no folder");
    vi.spyOn(performance, "now").mockReturnValue(performance.now() + 1_000);
    expect(redact("first-value-1 plain")).toBe("[secret:.env] plain");
  });

  it("visits a limited number of entries, however many are in one folder", () => {
    let asked = 0;
    const { root } = place.workspace.local;
    const mayOpen = (path: string) => {
      asked += 1;
      return !path.endsWith(".env");
    };
    mkdirSync(join(place.root, "many"));
    for (let i = 0; i < 300; i += 1) writeFileSync(join(place.root, `many/${i}`), "");
    const { redact } = new FileSecrets({ root, mayOpen }, { maxEntries: 100 });
    expect(redact("first-value-1")).toBe("[secret:.env]");
    expect(asked).toBeLessThanOrEqual(100);
  });

  it("reads nothing outside, through a link or a linked folder", () => {
    writeFileSync(join(place.outside, ".env"), "KEY=outside-value-8\n");
    symlinkSync(join(place.outside, ".env"), join(place.root, ".env.link"));
    symlinkSync(place.outside, join(place.root, "out"));
    mkdirSync(join(place.root, ".env.d"));
    expect(new FileSecrets(place.workspace.local).redact("outside-value-8")).toBe("outside-value-8");
  });
});
