// One small real project for each family of commands.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const IGNORED = "node_modules\ntarget\nout\n__pycache__\n.pytest_cache\n.venv\n*.o\n";

export const PROJECTS = {
  rust: {
    program: "cargo",
    files: {
      "Cargo.toml": '[package]\nname = "fixture"\nversion = "0.1.0"\nedition = "2021"\n',
      "src/lib.rs":
        "/// Adds.\n///\n/// ```\n/// assert_eq!(fixture::add(1, 2), 3);\n/// ```\npub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {\n        assert_eq!(super::add(1, 2), 3);\n    }\n}\n",
      "src/main.rs": 'fn main() {\n    println!("hello");\n}\n',
    },
  },
  go: {
    program: "go",
    files: {
      "go.mod": "module example.com/fixture\n\ngo 1.18\n",
      "main.go":
        'package main\n\nimport (\n\t"fmt"\n\n\t"example.com/fixture/calc"\n)\n\nfunc main() {\n\tfmt.Println(calc.Add(1, 2))\n}\n',
      "calc/calc.go":
        "// Package calc adds.\npackage calc\n\n// Add adds.\nfunc Add(a, b int) int { return a + b }\n",
      "calc/calc_test.go":
        'package calc\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n\tif Add(1, 2) != 3 {\n\t\tt.Fatal("wrong")\n\t}\n}\n\nfunc BenchmarkAdd(b *testing.B) {\n\tfor i := 0; i < b.N; i++ {\n\t\tAdd(i, 1)\n\t}\n}\n',
    },
  },
  c: {
    program: "make",
    files: {
      Makefile:
        "all: calc\ncalc: calc.o main.o\n\t$(CC) $(CFLAGS) -o $@ $^\ntest: calc\n\t./calc\nclean:\n\trm -f *.o calc\n.PHONY: all test clean\n",
      "calc.c": "int add(int a, int b) { return a + b; }\n",
      "main.c":
        '#include <stdio.h>\nint add(int, int);\nint main(void) { printf("%d\\n", add(1, 2)); return 0; }\n',
    },
  },
  java: {
    program: "mvn",
    // Fills the user's own Maven cache, as a developer's first build does.
    prepare: ["bash", ["-c", "mvn -q -B clean package || mvn -o -q -B clean package"]],
    files: {
      "pom.xml":
        '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>fixture</groupId><artifactId>fixture</artifactId><version>1.0</version><properties><maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target><project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties><dependencies><dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId><version>5.10.2</version><scope>test</scope></dependency></dependencies><build><plugins><plugin><artifactId>maven-clean-plugin</artifactId><version>3.3.2</version></plugin><plugin><artifactId>maven-resources-plugin</artifactId><version>3.3.1</version></plugin><plugin><artifactId>maven-compiler-plugin</artifactId><version>3.13.0</version></plugin><plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version></plugin><plugin><artifactId>maven-jar-plugin</artifactId><version>3.4.1</version></plugin></plugins></build></project>\n',
      "src/main/java/fixture/Main.java":
        'package fixture;\n\npublic class Main {\n  public static void main(String[] args) {\n    System.out.println("hello");\n  }\n}\n',
      "src/test/java/fixture/CalcTest.java":
        "package fixture;\n\nimport org.junit.jupiter.api.Test;\n\npublic class CalcTest {\n  @Test\n  public void adds() {\n    org.junit.jupiter.api.Assertions.assertEquals(3, 1 + 2);\n  }\n}\n",
    },
  },
  python: {
    program: "pytest",
    files: {
      "calc.py": 'def add(a, b):\n    """Adds.\n\n    >>> add(1, 2)\n    3\n    """\n    return a + b\n',
      "script.py": "import calc\n\nprint(calc.add(1, 2))\n",
      "data.json": '{"name": "fixture"}\n',
      "conftest.py": "",
      "tests/test_calc.py":
        "import unittest\n\nimport calc\n\n\nclass T(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(calc.add(1, 2), 3)\n",
      "tests/test_server.py":
        "import http.server\nimport threading\nimport urllib.request\n\n\ndef test_server():\n    server = http.server.HTTPServer(('localhost', 0), http.server.SimpleHTTPRequestHandler)\n    threading.Thread(target=server.serve_forever, daemon=True).start()\n    assert urllib.request.urlopen(f'http://localhost:{server.server_port}/').status == 200\n    server.shutdown()\n",
    },
  },
  node: {
    program: "npm",
    prepare: ["npm", ["install", "--no-audit", "--no-fund"]],
    files: {
      "package.json": `${JSON.stringify({
        name: "fixture",
        version: "1.0.0",
        type: "module",
        scripts: {
          test: "vitest run",
          build: "tsc -p tsconfig.json",
          lint: "eslint src",
          format: "prettier --write src",
          "format:check": "prettier --check src/calc.ts",
          codegen: "node -e \"require('fs').writeFileSync('gen.txt', 'generated')\"",
        },
        devDependencies: {
          eslint: "9.39.1",
          prettier: "3.6.2",
          typescript: "5.9.3",
          vitest: "3.2.4",
          "@types/node": "20.19.25",
        },
      })}\n`,
      "tsconfig.json":
        '{"compilerOptions":{"module":"nodenext","target":"es2022","strict":true,"outDir":"out","skipLibCheck":true},"include":["src"],"exclude":["src/*.test.ts"]}\n',
      "eslint.config.js":
        "export default [{ files: ['src/**/*.mjs'], rules: { 'no-unused-vars': 'error' } }];\n",
      "vitest.config.ts": "export default { test: { include: ['src/**/*.test.ts'] } };\n",
      "src/calc.ts": "export const add = (a: number, b: number): number => a + b;\n",
      "src/calc.test.ts":
        "import { expect, it } from 'vitest';\nimport { add } from './calc.js';\nit('adds', () => expect(add(1, 2)).toBe(3));\n",
      "src/server.test.ts":
        "import { createServer } from 'node:http';\nimport { expect, it } from 'vitest';\nit('serves on localhost', async () => {\n  const server = createServer((_, response) => response.end('hi'));\n  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));\n  const { port } = server.address() as { port: number };\n  expect(await (await fetch(`http://localhost:${port}/`)).text()).toBe('hi');\n  server.close();\n});\n",
      "src/main.mjs": 'console.log("hello");\n',
      "src/server.mjs":
        'import { createServer } from "node:http";\nconst server = createServer((_, response) => response.end("hi"));\nserver.listen(0, "localhost", async () => {\n  console.log(await (await fetch(`http://localhost:${server.address().port}`)).text());\n  server.close();\n});\n',
      "tests/a.test.mjs": 'import { test } from "node:test";\ntest("a", () => {});\n',
    },
  },
  "git reading": { program: "git", files: plainFiles() },
  "git writing": { program: "git", files: plainFiles() },
  shell: { program: "bash", files: plainFiles() },
};

function plainFiles() {
  return {
    "README.md": "# Fixture\n\nTODO: more\nlast\n",
    "data.json": '{"name":"fixture"}\n',
    "src/a.txt": "alpha\n",
    "src/b.txt": "beta\n",
    "run.sh": "#!/bin/sh\necho ran\n",
  };
}

/** Creates a project with two commits, a branch beside them, and a file that was changed since. */
export function makeProject(root, { files }) {
  for (const [path, content] of Object.entries({ ".gitignore": IGNORED, ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  const git = (...args) => execFileSync("git", args, { cwd: root });
  git("init", "-q", "-b", "main");
  git("config", "user.name", "T");
  git("config", "user.email", "t@example.com");
  git("add", ".gitignore");
  git("commit", "-qm", "First");
  git("switch", "-qc", "side");
  writeFileSync(join(root, "side.txt"), "side\n");
  git("add", "side.txt");
  git("commit", "-qm", "Side");
  git("switch", "-q", "main");
  git("add", ".");
  git("commit", "-qm", "Second");
  if (files["src/a.txt"] !== undefined) writeFileSync(join(root, "src/a.txt"), "alpha, changed\n");
}
