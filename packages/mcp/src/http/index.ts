// Any export added here becomes public API: named exports only. Apart, so that a server on stdio loads no web server.
export type { HttpOptions, HttpService } from "./http-options.js";
export { serveHttp } from "./serve-http.js";
