import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { until } from "../../test-support/console-client.js";
import { FolderWatch } from "./folder-watch.js";

const root = mkdtempSync(join(tmpdir(), "haft-watch-"));
const told: string[] = [];
const watch = new FolderWatch((folders) => told.push(...folders));

afterEach(() => {
  watch.close();
  rmSync(root, { recursive: true, force: true });
});

test("S4.002.b watches a folder again that was deleted and recreated, when it is read", async () => {
  const folder = join(root, "src");
  mkdirSync(folder);
  expect(watch.add("src", folder)).toBe(true);
  expect(watch.add("src", folder)).toBe(false);
  rmSync(folder, { recursive: true });
  await until(
    async () => told.length,
    (count) => count > 0,
  );
  expect(watch.add("src", folder)).toBe(false);
  mkdirSync(folder);
  expect(watch.add("src", folder)).toBe(true);
  // Earlier notifications have arrived by now, or arrive together with this one.
  told.length = 0;
  writeFileSync(join(folder, "a.ts"), "");
  await until(
    async () => told,
    (folders) => folders.includes("src"),
  );
});
