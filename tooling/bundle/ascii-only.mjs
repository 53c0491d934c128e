/** Escapes non-ASCII characters: V8 stores such a script in half the memory and reads it without decoding. */
export function asciiOnly() {
  return {
    name: "ascii-only",
    generateBundle(_options, output) {
      for (const file of Object.values(output))
        if (file.type === "chunk") file.code = file.code.replaceAll(/[^\0-\x7f]/g, escaped);
    },
  };
}

function escaped(unit) {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
