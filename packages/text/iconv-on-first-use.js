// What "#iconv-lite" means in Node: the library is loaded by the first call, since most processes meet UTF-8 alone. Bundlers
// and browsers take the library itself, as package.json says, so that it reaches them.
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
