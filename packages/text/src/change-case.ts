/** `filePath`, `FilePath`, `file-path` and `file path` become `file_path`. */
export function toSnakeCase(name: string): string {
  return words(name).join("_");
}

/** `file_path`, `FilePath`, `file-path` and `file path` become `filePath`. */
export function toCamelCase(name: string): string {
  return words(name)
    .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join("");
}

function words(name: string): string[] {
  return name
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== "");
}
