// The entry "@haft/runtime-node/paths": path parsing and rules for workspace stores whose files are elsewhere.
export { contentDigest, contentHash } from "../workspace/content-hash.js";
export { decodeWhole } from "../workspace/decode-whole.js";
export { isNameable, spellName } from "../workspace/entry-name.js";
export { PathGuard, type PathGuardOptions } from "../workspace/path-guard.js";
export { asToolError } from "../workspace/system-error.js";
