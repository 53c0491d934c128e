import { createHash } from "node:crypto";

/** Ends each file with a digest of its content, which `bin/load-bundle.js` compares with the digest of the cached code. */
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
