// Any export added here becomes public API: named exports only.

export { type CreateIo, createFromArguments } from "./create-from-arguments.js";
export { type Scaffold, type ScaffoldKind, type ScaffoldOptions, scaffold } from "./scaffold.js";
export { ScaffoldError } from "./scaffold-error.js";
export { writeScaffold } from "./write-scaffold.js";
