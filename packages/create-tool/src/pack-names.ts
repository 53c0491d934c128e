/** The spellings of one name: `word-count`. */
export interface PackNames {
  readonly folder: string;
  readonly packageName: string;
  /** `word_count` */
  readonly toolName: string;
  /** `WordCount` */
  readonly exportName: string;
  /** `word count` */
  readonly words: string;
  /** `Word count` */
  readonly title: string;
}

export function packNames(name: string, scope?: string): PackNames {
  const words = name.split(/[-_]/);
  const spoken = words.join(" ");
  return {
    folder: name,
    packageName: scope === undefined ? `haft-tool-${words.join("-")}` : `${scope}/${words.join("-")}`,
    toolName: words.join("_"),
    exportName: exportName(words),
    words: spoken,
    title: capitalized(spoken),
  };
}

/** Avoids names that the sources import and reserved words: `tool-error` is exported as `ToolErrorTool`. */
function exportName(words: readonly string[]): string {
  const name = words.map(capitalized).join("");
  return IMPORTED.has(name) || UTILITY_TYPE.test(name) || name in globalThis ? `${name}Tool` : name;
}

const IMPORTED: ReadonlySet<string> = new Set(["ToolError", "ArgsOf", "ContextOf"]);
const UTILITY_TYPE = /^(?:Record|Partial|Required|Readonly|Pick|Omit|Exclude|Extract|Awaited|ReturnType)$/;

function capitalized(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
