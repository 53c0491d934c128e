import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { compileSchema } from "@haft/core/compile-schema";
import { describe, expect, it } from "vitest";
import { createProgram } from "../../packages/cli/src/program.js";
import { ROOT } from "./source-files.js";

const DOCS = join(ROOT, "docs");
// Excluded, because other tests write to docs/node_modules meanwhile.
const pages = readdirSync(DOCS)
  .filter((name) => !["reference", "node_modules", ".vitepress"].includes(name))
  .flatMap((name) => (statSync(join(DOCS, name)).isDirectory() ? below(name) : [name]))
  .filter((name) => name.endsWith(".md"))
  .map((name) => ({ name, text: readFileSync(join(DOCS, name), "utf8") }));

function below(folder: string): string[] {
  const names = readdirSync(join(DOCS, folder), { recursive: true, encoding: "utf8" });
  return names.map((name) => join(folder, name));
}

/** Generated, so they are not in the repository. */
const GENERATED = /^(reference\/|api\/)/;

describe("FP10 the docs site", () => {
  it.each(pages)("$name links only to files and headings that exist", ({ name, text }) => {
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)\s]+)\)/g)].map(([, link = ""]) => link);
    expect(links.filter((link) => !isAlive(name, link))).toEqual([]);
  });

  it("names only existing commands and options of haft", () => {
    const lines = pages.flatMap(({ text }) => fences(text, "sh")).flatMap((block) => block.split("\n"));
    const commands = lines.filter((line) => line.startsWith("haft "));
    expect(commands.length).toBeGreaterThan(20);
    expect(commands.filter((line) => !isKnown(line))).toEqual([]);
  });

  it("shows configurations and roles that match their schemas", () => {
    const [config, role] = ["config/haft.config", "roles/haft.role"].map((name) =>
      compileSchema(
        JSON.parse(readFileSync(join(ROOT, `packages/runtime-node/src/${name}.schema.json`), "utf8")),
      ),
    );
    for (const block of pages.flatMap(({ text }) => fences(text, "json"))) {
      const value = JSON.parse(block);
      expect((value.permissions === undefined ? config : role)?.(value), block).toEqual([]);
    }
  });

  it("has an example for every key of the configuration, each valid", () => {
    const schema = JSON.parse(
      readFileSync(join(ROOT, "packages/runtime-node/src/config/haft.config.schema.json"), "utf8"),
    );
    const examples = JSON.parse(readFileSync(join(DOCS, "generator/config-examples.json"), "utf8"));
    expect(Object.keys(examples).sort()).toEqual(
      Object.keys(schema.properties)
        .filter((key) => key !== "$schema")
        .sort(),
    );
    expect(compileSchema(schema)(examples)).toEqual([]);
  });
});

describe("FP10 generated pages", () => {
  it("show the signs of globs and names, and types in plain English", async () => {
    const module: string = join(DOCS, "generator/markdown.mjs");
    const { cell, typeOf }: Record<"cell" | "typeOf", (value: unknown) => string> = await import(module);
    expect(cell('such as "*.ts" or "src/**/*.{js,ts}"')).toBe('such as "\\*.ts" or "src/\\*\\*/\\*.{js,ts}"');
    expect(cell("`*` in output_mode, _private and a|b")).toBe("`*` in output_mode, \\_private and a\\|b");
    expect(typeOf({ anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] })).toBe(
      "string or list of strings",
    );
  });
});

describe("FU7 twenty questions of a new user", () => {
  const questions = pages.find(({ name }) => name === "questions.md")?.text ?? "";

  it.each([
    "install",
    "Ollama",
    "OpenAI",
    "Anthropic",
    "Gemini",
    "`make`",
    "Claude Code",
    "Cursor",
    "undo a call",
    "whole session",
    "stop being asked",
    "revoke",
    "resume",
    "write a tool",
    "folders",
    "hide files",
    "state kept",
    "Windows and macOS",
    "search the web",
    "MCP servers",
    "AI SDK",
    "LangChain",
    "API reference",
    "changelog",
    "project instructions",
    "many machines",
  ])("%s: answered one link from the start page", (topic) => {
    const line = questions.split("\n").find((row) => /^\d+\. /.test(row) && row.includes(topic));
    expect(line).toMatch(/\]\([^)]+\)/);
  });

  it("the start page and the README link to the questions", () => {
    expect(readFileSync(join(DOCS, "index.md"), "utf8")).toContain("/questions");
    expect(readFileSync(join(ROOT, "README.md"), "utf8")).toContain("docs/questions.md");
  });
});

function isAlive(page: string, link: string): boolean {
  const [path = "", heading] = link.split("#");
  const target = path.startsWith("/") ? path.slice(1) : join(dirname(page), path);
  if (GENERATED.test(target)) return true;
  const file = join(DOCS, target);
  if (!existsSync(file)) return false;
  return heading === undefined || headings(readFileSync(file, "utf8")).includes(heading);
}

function headings(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, "")
      .trim()
      .replaceAll(/\s+/g, "-"),
  );
}

function fences(text: string, language: string): readonly string[] {
  return [...text.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, "g"))].map(
    ([, body = ""]) => body,
  );
}

type Command = ReturnType<typeof createProgram>;

function isKnown(line: string): boolean {
  const words = line
    .replaceAll(/'[^']*'|"[^"]*"/g, "TEXT")
    .split(/\s+/)
    .slice(1);
  const io = { stdout: process.stdout, stderr: process.stderr } as never;
  let command: Command = createProgram(io, () => {});
  for (const word of words) {
    const below = command.commands.find((one) => one.name() === word);
    if (below !== undefined) command = below;
    else if (word.startsWith("--") && !hasOption(command, word)) return false;
  }
  return command.name() !== "haft";
}

function hasOption(command: Command, word: string): boolean {
  const own = command.options.some(({ long }) => long === word);
  return own || (command.parent !== null && hasOption(command.parent, word));
}

describe("FP10 the READMEs of packages", () => {
  it.each(readdirSync(join(ROOT, "packages")))(
    "%s links to files, which the API reference can copy",
    (name) => {
      const readme = readFileSync(join(ROOT, "packages", name, "README.md"), "utf8");
      const links = [...readme.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, link = ""]) => link);
      const isFile = (link: string) =>
        statSync(join(ROOT, "packages", name, link), { throwIfNoEntry: false })?.isFile();
      expect(links.filter((link) => isFile(link) !== true)).toEqual([]);
    },
  );
});
