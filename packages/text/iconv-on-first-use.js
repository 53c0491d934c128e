// The implementation of "#iconv-lite" in Node: the first call loads the library, because most processes read only
// UTF-8. In bundles and browsers, package.json maps the name to the library itself.
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
/** Node caches loaded modules. */
const library = () => require("iconv-lite");

// biome-ignore lint/style/noDefaultExport: it stands in for a library that has one.
export default {
  encodingExists: (encoding) => library().encodingExists(encoding),
  getDecoder: (...input) => library().getDecoder(...input),
  getEncoder: (...input) => library().getEncoder(...input),
};
