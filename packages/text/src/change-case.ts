import { lazyPattern } from "./lazy-pattern.js";

/** Converts to snake case: `filePath`, `FilePath`, `file-path` and `file path` become `file_path`. */
export function toSnakeCase(name: string): string {
  return words(name).join("_");
}

/** Converts to camel case: `file_path`, `FilePath`, `file-path` and `file path` become `filePath`. */
export function toCamelCase(name: string): string {
  return words(name)
    .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join("");
}

function words(name: string): string[] {
  return name
    .replace(END_OF_WORD(), (_all, before: string, after: string) => `${before} ${after}`)
    .replace(END_OF_CAPITALS(), (_all, before: string, after: string) => `${before} ${after}`)
    .toLowerCase()
    .split(BETWEEN_WORDS())
    .filter((word) => word !== "");
}

const END_OF_WORD = lazyPattern(String.raw`([\p{Ll}\p{N}])(\p{Lu})`, "gu");
const END_OF_CAPITALS = lazyPattern(String.raw`(\p{Lu})(\p{Lu}\p{Ll})`, "gu");
const BETWEEN_WORDS = lazyPattern(String.raw`[^\p{L}\p{M}\p{N}]+`);
