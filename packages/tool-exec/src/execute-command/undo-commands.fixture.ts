import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

/** Creates a project with files of all kinds: modes, links, empty and closed folders, odd names, binary content. */
export function makeMixedProject(root: string): void {
  for (const [path, content] of Object.entries(FILES)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content, { mode: path.endsWith(".sh") ? 0o755 : 0o644 });
  }
  writeFileSync(
    join(root, "blob.bin"),
    Uint8Array.from({ length: 3000 }, (_, index) => (index * 7) % 256),
  );
  mkdirSync(join(root, "docs/empty"), { recursive: true });
  mkdirSync(join(root, "closed"), { mode: 0o750 });
  writeFileSync(join(root, "closed/inner.txt"), "inner\n", { mode: 0o640 });
  symlinkSync("README.md", join(root, "readme-link"));
  symlinkSync("src", join(root, "dir-link"));
  chmodSync(join(root, "private.key.txt"), 0o600);
  chmodSync(join(root, "locked.txt"), 0o444);
  chmodSync(join(root, "docs"), 0o775);
}

/** Replaces the contents of a workspace with a copy of a project. */
export function resetTo(template: string, workspace: string): void {
  for (const name of readdirSync(workspace)) rmSync(join(workspace, name), { recursive: true, force: true });
  cpSync(template, workspace, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
}

/** Returns every entry by path: type, permissions and content. Leaves out what undo does not cover. */
export function treeOf(root: string, below = ""): Readonly<Record<string, string>> {
  return Object.fromEntries(
    readdirSync(join(root, below)).flatMap((name): [string, string][] => {
      const path = below === "" ? name : `${below}/${name}`;
      if (PASSED_THROUGH.has(path)) return [];
      const stats = lstatSync(join(root, path));
      const mode = (stats.mode & 0o7777).toString(8);
      if (stats.isSymbolicLink()) return [[path, `link ${readlinkSync(join(root, path))}`]];
      if (stats.isDirectory()) return [[path, `folder ${mode}`], ...Object.entries(treeOf(root, path))];
      const digest = createHash("sha256")
        .update(readFileSync(join(root, path)))
        .digest("hex");
      return [[path, `file ${mode} ${digest.slice(0, 16)}`]];
    }),
  );
}

const PASSED_THROUGH: ReadonlySet<string> = new Set([".git", "node_modules", "target"]);

const FILES: Readonly<Record<string, string>> = {
  "README.md": "# Fixture\n\nTODO: more\n\n\nlast\n",
  "notes.txt": "first line\nx marks the spot\nthird\n",
  "data.json": '{"name":"fixture","version":"1.0.0"}\n',
  "name with spaces.txt": "a\n",
  "grüße.txt": "umlaut\n",
  "private.key.txt": "not a secret\n",
  "locked.txt": "locked\n",
  "src/a.ts": "export const one = 1;\n",
  "src/b.ts": "export const two = 2; // x\n",
  "old/x.txt": "old\n",
  "deep/er/est/leaf.txt": "leaf\n",
  "docs/index.md": "# Docs\n",
  "scripts/check.sh": "#!/bin/sh\necho checked\n",
  "gen.sh": "#!/bin/sh\nmkdir -p made && echo made > made/by-shell.txt\n",
  "gen.js":
    "const fs = require('fs');\nfs.mkdirSync('made', { recursive: true });\nfor (let i = 0; i < 12; i++) fs.writeFileSync('made/' + i + '.js', 'module.exports = ' + i + ';\\n');\nfs.appendFileSync('src/a.ts', '// generated\\n');\n",
  "gen.py": "import sys\nfor i in range(int(sys.argv[1])):\n    open(f'gen-{i}.txt', 'w').write(str(i))\n",
  "format.js":
    "const fs = require('fs');\nfor (const f of process.argv.slice(2)) fs.writeFileSync(f, fs.readFileSync(f, 'utf8').trim().replace(/;/g, '') + '\\n');\n",
  Makefile:
    "generate:\n\t@mkdir -p out && echo 1 > out/one && echo 2 > out/two\ntest:\n\t@echo tested > last-test.log\nlint:\n\t@echo linted\nclean:\n\t@rm -rf old\n",
  "tests/a.test.js":
    "const fs = require('fs');\nrequire('node:test').test('a', () => fs.writeFileSync('test-output.txt', 'ran\\n'));\n",
  "tests/write-snapshot.js":
    "const fs = require('fs');\nfs.mkdirSync('tests/__snapshots__', { recursive: true });\nfs.writeFileSync('tests/__snapshots__/a.snap', 'snap\\n');\nfs.appendFileSync('tests/a.test.js', '\\n');\n",
  "tests/test_calc.py":
    "import unittest\n\n\nclass T(unittest.TestCase):\n    def test_add(self):\n        open('py-output.txt', 'w').write('ran')\n",
  "package.json": JSON.stringify({
    name: "fixture",
    version: "1.0.0",
    dependencies: { tiny: "1.0.0" },
    scripts: {
      test: "node --test tests",
      build: "node gen.js && rm -rf old",
      codegen: "node gen.js",
      format: "node format.js src/a.ts src/b.ts",
      snapshot: "node tests/write-snapshot.js",
      coverage: "mkdir -p coverage && echo 100 > coverage/total && mv notes.txt coverage/",
      failing: "echo broken > broken.txt && exit 3",
    },
  }),
  "change.patch":
    "--- notes.txt\n+++ notes.txt\n@@ -1,3 +1,3 @@\n first line\n-x marks the spot\n+y marks the spot\n third\n",
  "change-git.patch":
    "diff --git a/old/x.txt b/old/x.txt\n--- a/old/x.txt\n+++ b/old/x.txt\n@@ -1 +1 @@\n-old\n+patched\n",
  ".gitignore": "node_modules\ntarget\n",
};
