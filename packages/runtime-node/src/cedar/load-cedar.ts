import { ConfigError } from "../config/config-error.js";

export type Cedar = typeof import("@cedar-policy/cedar-wasm/nodejs");

/** Loads the optional peer dependency. Rejects with CONFIG_INVALID if it is not installed. */
export async function loadCedar(): Promise<Cedar> {
  try {
    const loaded = await import("@cedar-policy/cedar-wasm/nodejs");
    // It is a CommonJS module, so its exports are the default export.
    return (loaded as { default?: Cedar }).default ?? loaded;
  } catch (cause) {
    throw new ConfigError("CONFIG_INVALID", "@cedar-policy/cedar-wasm is not installed", {
      hint: "Install it beside @haft/runtime-node: npm install @cedar-policy/cedar-wasm",
      cause,
    });
  }
}
