import type { RenderFacts } from "@haft/core";
import { countOf, describeBytes, estimateTokens, splitLines, truncateLine } from "@haft/text";
import type { ReadFileArgs, ReadFileResult } from "./read-file-schema.js";
import { DEFAULT_READ_LIMITS, LINE_CHARS } from "./read-limits.js";

/** Renders numbered lines, followed by what is missing and how to get it. */
export function renderFile(value: ReadFileResult, facts: RenderFacts<ReadFileArgs>): string {
  const path = facts.showPath(value.path);
  if (value.unchanged) return `${path} has not changed since you read it (hash ${value.hash}).`;
  switch (value.kind) {
    case "image":
      return value.content;
    case "base64":
      return renderBase64(value, path);
    case "text":
      return renderLines(value, { isNumbered: facts.args.line_numbers });
    case "pdf":
    case "notebook":
      return renderLines(value, { isNumbered: false });
  }
}

function renderLines(value: ReadFileResult, options: { readonly isNumbered: boolean }): string {
  if (value.linesRead === 0) return emptyNote(value);
  const lines = splitLines(value.content);
  // Concatenated: a page may have thousands of lines, and joining an array of them takes a quarter longer.
  let text = "";
  for (let index = 0; index < lines.length; index++) {
    const missing = index === lines.length - 1 ? (value.cutChars ?? 0) : 0;
    const number = options.isNumbered ? `${value.startLine + index}: ` : "";
    text += `${index === 0 ? "" : "\n"}${number}${cutLine(lines[index] as string, missing)}`;
  }
  return [text, ...notes(value)].join("\n");
}

function emptyNote({ kind, size }: ReadFileResult): string {
  if (kind === "pdf") return "(a PDF without pages)";
  return kind === "notebook" ? "(a notebook without cells)" : `(empty file, ${describeBytes(size)})`;
}

/** Truncates a line and states the number of hidden characters. */
function cutLine(line: string, missingChars: number): string {
  if (missingChars === 0) return truncateLine(line, LINE_CHARS);
  const kept = truncateLine(line, LINE_CHARS).replace(/ …\[\+\d+ chars\]$/, "");
  return `${kept} …[+${line.length - kept.length + missingChars} chars]`;
}

function notes(value: ReadFileResult): readonly string[] {
  return [...linesNote(value), ...partNote(value), ...encodingNote(value)].map((note) => `(${note})`);
}

function linesNote(value: ReadFileResult): readonly string[] {
  const { startLine, endLine, nextOffset } = value;
  const total = `${value.totalLines}${value.totalLinesExact ? "" : "+"}`;
  const shown = startLine === endLine ? `line ${startLine}` : `lines ${startLine}-${endLine}`;
  if (startLine < 0)
    return [`Showing the last lines, ${startLine} to ${endLine}.${continuation(nextOffset)}`];
  if (nextOffset !== undefined) return [`Showing ${shown} of ${total}.${continuation(nextOffset)}`];
  return startLine > 1 ? [`Showing ${shown} of ${total}: the end of the file.`] : [];
}

function continuation(nextOffset: number | undefined): string {
  return nextOffset === undefined ? "" : ` Use offset=${nextOffset} to continue.`;
}

function partNote({ kind, part, totalPages, totalCells }: ReadFileResult): readonly string[] {
  const total = totalPages ?? totalCells;
  if (part === undefined || total === undefined) return [];
  const parameter = kind === "pdf" ? "pages" : "cells";
  const last = Number(part.split(/[-,]/).at(-1));
  const more = last < total ? ` Use ${parameter}="${last + 1}-" to continue.` : "";
  return more === "" && part === `1-${total}` ? [] : [`Showing ${parameter} ${part} of ${total}.${more}`];
}

/** Mentions only unusual encodings: irrelevant for editing, relevant for running the file. */
function encodingNote({ kind, encoding, bom, eol, ...value }: ReadFileResult): readonly string[] {
  if (kind !== "text") return [];
  const facts = [
    ...(encoding === "utf-8" && !bom ? [] : [`encoding ${encoding}${bom ? " with byte order mark" : ""}`]),
    ...(eol === "crlf" || eol === "mixed" ? [`line endings ${eol}`] : []),
  ];
  const guess = `The encoding ${encoding} is a guess: ${value.encodingDoubt}. If letters look wrong, pass encoding.`;
  return [...(facts.length === 0 ? [] : [facts.join(", ")]), ...(value.encodingGuessed ? [guess] : [])];
}

function renderBase64(value: ReadFileResult, path: string): string {
  const head = `${path}: ${countOf(value.size, "byte")} as base64`;
  if (estimateTokens(value.content) <= DEFAULT_READ_LIMITS.pageTokens) return `${head}\n${value.content}`;
  return `${head}, too long to be shown here; the result's value holds it.`;
}
