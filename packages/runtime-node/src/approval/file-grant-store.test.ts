import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeGrantContract } from "@haft/testing";
import { FileGrantStore } from "./file-grant-store.js";

describeGrantContract("files", async () => {
  const folder = mkdtempSync(join(tmpdir(), "haft-grants-"));
  const open = () => new FileGrantStore(join(folder, "grants"));
  return {
    store: open(),
    reopen: open,
    [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }),
  };
});
