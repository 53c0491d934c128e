import { createHash } from "node:crypto";

/**
 * Appends a digest of its content to each file. `bin/load-bundle.js` compares it with the digest of the cached code.
 */
export function stamped() {
  return {
    name: "stamped",
    generateBundle(_options, output) {
      for (const chunk of Object.values(output)) {
        chunk.code += `//${createHash("sha256").update(chunk.code).digest("hex").slice(0, 16)}`;
      }
    },
  };
}
