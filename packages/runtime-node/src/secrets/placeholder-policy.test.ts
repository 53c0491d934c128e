import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createsFile, readsFile, writesFile } from "../../test-support/file-tools.js";
import { runtimeFolder } from "../../test-support/runtime-folder.js";

const CONFIG = "host=a\ntoken=tok-123456789\n";
const folder = runtimeFolder(
  { "app.conf": CONFIG, "doc.md": "write [secret:DEPLOY_TOKEN] here\n" },
  {
    tools: [readsFile, writesFile, createsFile],
    env: { DEPLOY_TOKEN: "tok-123456789" },
    readBeforeWrite: "off",
    approver: async () => ({ approved: true }),
  },
);
const refused = { ok: false, error: { code: "SECRET_PLACEHOLDER" } };

describe("a placeholder that stands for a secret", () => {
  it("is not written back over it, whoever approves", async () => {
    await using runtime = await folder.open();
    const read = await runtime.call("reads_file", { path: "app.conf" });
    const { text } = (read.ok ? read.value : {}) as { text: string };
    expect(text).toContain("[secret:DEPLOY_TOKEN]");
    const changed = text.split("host=a").join("host=b");
    const result = await runtime.call("writes_file", { path: "app.conf", text: changed });
    expect(result).toMatchObject(refused);
    expect(result.text).toContain("leave that part of the file alone");
    expect(folder.content("app.conf")).toBe(CONFIG);
    expect(await runtime.call("writes_file", { path: "app.conf", text }, { dryRun: true })).toMatchObject(
      refused,
    );
    expect(await runtime.call("creates_file", { path: "copy.conf", text })).toMatchObject(refused);
  });

  it("may stay where it has always stood, and mean nothing where no such secret is known", async () => {
    await using runtime = await folder.open();
    const kept = { path: "doc.md", text: "do not write [secret:DEPLOY_TOKEN] here\n" };
    expect(await runtime.call("writes_file", kept)).toMatchObject({ ok: true });
    const twice = { path: "doc.md", text: "[secret:DEPLOY_TOKEN] [secret:DEPLOY_TOKEN]\n" };
    expect(await runtime.call("writes_file", twice)).toMatchObject(refused);
    const unknown = { path: "other.md", text: "[secret:OTHER]\n" };
    expect(await runtime.call("writes_file", unknown)).toMatchObject({ ok: true });
  });

  it("is seen in UTF-16 too", async () => {
    await using runtime = await folder.open();
    const utf16 = Buffer.from("\ufefftoken=tok-123456789\n", "utf16le");
    writeFileSync(`${folder.root}/wide.txt`, utf16);
    const back = { path: "wide.txt", text: "token=[secret:DEPLOY_TOKEN]\n" };
    expect(await runtime.call("writes_file", back)).toMatchObject(refused);
  });
});
