// Any export added here becomes public API: named exports only.
export { type CliIo, processIo } from "./cli-io.js";
export { runCli } from "./run-cli.js";
