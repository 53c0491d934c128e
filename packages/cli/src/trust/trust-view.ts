import { relative } from "node:path";
import type { IgnoredSetting, SearchConfig, UntrustedConfig } from "@haft/runtime-node";
import { countOf, markValue, renderInline, wrapColumns } from "@haft/text";
import type { QuestionView } from "../ask/question-screen.js";
import { wrappedLines } from "../run/styled-rows.js";

/** Shows the settings of a configuration that widen access, or all of its code, before a person trusts it. */
export function trustView({ snapshot, isCode, ignored }: UntrustedConfig, columns: number): QuestionView {
  const { file, files, digest } = snapshot;
  const name = renderInline(file, { maxChars: 2 * columns });
  const covered = files.map(({ path }) => path).join("\n");
  const content = isCode
    ? files.flatMap(({ path, text }) => fileRows(relative(`${file}/..`, path), text, columns))
    : [
        ...ignored.flatMap((setting) => settingRows(setting, columns)),
        ...section("trust covers", covered, columns),
      ];
  const what = isCode
    ? PROGRAM
    : "If you trust this file, it may change the settings below. Otherwise they are ignored.";
  const size = isCode ? lines(files.map(({ text }) => text)) : countOf(ignored.length, "setting");
  return {
    title: `trust ${name}`,
    head: [...wrapColumns(name, columns), ...wrappedLines(what, columns), ...wrappedLines(ONCE, columns)],
    content,
    verdict: [
      `Trust ${name}?`,
      `${countOf(files.length, "file")}, ${size}, sha256 ${digest.slice(0, 12)}`,
    ].flatMap((text) => wrapColumns(text, columns).slice(0, 2)),
  };
}

const PROGRAM =
  "This configuration is a program. If you trust it, it runs with your rights each time haft starts here.";
const ONCE = "Trust covers exactly this content. Any change asks again.";

function settingRows({ key, value }: IgnoredSetting, columns: number): readonly string[] {
  const effect = effectOf(key, value);
  const remark = effect === undefined ? [] : wrapColumns(`⋮ ${renderInline(effect)}`, columns).slice(0, 3);
  return [...section(`${key} would add`, textOf(value), columns), ...remark];
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join("\n");
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Describes effects of a setting that its value does not show. */
export function effectOf(key: string, value: unknown): string | undefined {
  if (key === "packs") return "haft imports this package, which runs with your rights";
  if (key === "mcpServers") return "haft starts these programs with your rights, or sends these headers";
  if (key !== "web.search") return undefined;
  const { url = "its provider", apiKeyEnv = "HAFT_SEARCH_API_KEY" } = value as SearchConfig;
  return `each search sends the environment variable ${apiKeyEnv} to ${url}`;
}

function fileRows(name: string, text: string, columns: number): readonly string[] {
  return text === ""
    ? [...wrapColumns(`${renderInline(name)}:`, columns), NO_TEXT]
    : section(name, text, columns);
}

const NO_TEXT = "⋮ empty, or not text";

function section(title: string, text: string, columns: number): readonly string[] {
  return [...wrapColumns(`${renderInline(title)}:`, columns), ...markValue(text, { columns })];
}

function lines(texts: readonly string[]): string {
  const counted = texts.map((text) => text.replace(/\n$/, "").split("\n").length);
  return countOf(
    counted.reduce((sum, count) => sum + count, 0),
    "line",
  );
}
