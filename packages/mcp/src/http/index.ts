// Any export added here becomes public API: named exports only. A separate entry, so that servers on stdio do not load
// HTTP.
export type { HttpOptions, HttpService } from "./http-options.js";
export { serveHttp } from "./serve-http.js";
