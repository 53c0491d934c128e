import { createHash } from "node:crypto";

/** Ends each file with a comment made of its content, by which `bin/load-bundle.js` knows the code that was made of it. */
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
