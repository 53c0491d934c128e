import type { FileStat } from "@haft/core";
import { DEFAULT_LIMITS, type LineContext, type SearchRequest } from "../engine/search/search-request.js";
import { DEFAULT_WALK, type WalkOptions } from "../engine/walk/walk-options.js";
import { namesHidden } from "../names-hidden.js";
import { resolveGlob } from "../resolve-glob.js";
import { type ConfiguredLimits, NAMED_FILE_BYTES } from "../search-limits.js";
import { asExtensions, asList } from "../string-list.js";
import { extensionsOfType } from "./file-types.js";
import { type GrepArgs, isCaseSensitive } from "./grep-schema.js";

interface GrepContext {
  readonly root: FileStat;
  readonly limits: ConfiguredLimits;
  readonly maxResults: number;
  readonly callMs: number;
}

/** Returns the engine's request for a call. A named file is searched even if a filter excludes it. */
export function grepRequest(args: GrepArgs, setting: GrepContext): SearchRequest {
  const { root, limits, maxResults, callMs } = setting;
  const { grepFileBytes = DEFAULT_LIMITS.maxFileBytes, grepFileMs = DEFAULT_LIMITS.fileMs } = limits;
  const isFile = root.type === "file";
  return {
    pattern: {
      pattern: args.pattern,
      literal: args.literal,
      ignoreCase: !isCaseSensitive(args),
      multiline: args.multiline,
    },
    walk: walkOf(args, isFile ? "" : root.path, limits),
    file: isFile ? root.path : undefined,
    order: "relevance",
    offset: args.offset,
    limit: maxResults,
    filesOnly: args.output_mode !== "content",
    context: contextOf(args),
    limits: {
      maxFileBytes: isFile ? Math.max(NAMED_FILE_BYTES, grepFileBytes) : grepFileBytes,
      fileMs: grepFileMs,
      callMs,
    },
  };
}

export function asksForContext({ before, after, context }: GrepArgs): boolean {
  return before !== undefined || after !== undefined || context !== undefined;
}

function contextOf(args: GrepArgs): LineContext | "auto" {
  if (!asksForContext(args)) return "auto";
  const { context = 0, before = context, after = context } = args;
  return { before, after };
}

function walkOf(args: GrepArgs, folder: string, limits: ConfiguredLimits): WalkOptions {
  return {
    ...DEFAULT_WALK,
    folder,
    includeHidden: args.include_hidden || namesHidden(folder) || asList(args.glob).some(asksForHidden),
    includeIgnored: args.include_ignored,
    maxDepth: args.max_depth ?? limits.maxDepth ?? DEFAULT_WALK.maxDepth,
    globs: asList(args.glob).flatMap((glob) => resolveGlob(folder, glob)),
    exclude: args.exclude.flatMap((glob) => resolveGlob(folder, glob)),
    extensions: [...asExtensions(args.file_type), ...(args.type === undefined ? [] : endingsOf(args.type))],
  };
}

function asksForHidden(glob: string): boolean {
  return !glob.startsWith("!") && namesHidden(glob);
}

function endingsOf(type: string): readonly string[] {
  return extensionsOfType(type) ?? asExtensions(type);
}
