import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const folder = fileURLToPath(new URL("./command-policy", import.meta.url));

it("keeps the command policy independent of the platform and of the kernel", () => {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !name.endsWith(".test.ts"),
  );
  const imports = files.flatMap((name) =>
    [...readFileSync(`${folder}/${name}`, "utf8").matchAll(/from "([^."][^"]*)"/g)].map(
      ([, module]) => module,
    ),
  );
  expect(files.length).toBeGreaterThan(30);
  expect([...new Set(imports)].sort()).toEqual(["@haft/text", "@haft/text/path-rules", "unbash"]);
});
