/** Writes what is not ASCII as escapes: V8 keeps such a script in half the memory, and it is read without decoding. */
export function asciiOnly() {
  return {
    name: "ascii-only",
    generateBundle(_options, output) {
      for (const chunk of Object.values(output)) chunk.code = chunk.code.replaceAll(/[^\0-\x7f]/g, escaped);
    },
  };
}

function escaped(unit) {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
