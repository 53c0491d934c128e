// Any export added here becomes public API: named exports only.
export { activeTrace, type TelemetryOptions, tracedRuntime } from "./traced-runtime.js";
