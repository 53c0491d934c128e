import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { UsageError } from "../usage-error.js";
import { installAdvice } from "./install-advice.js";

/** Imports an optional package from our own installation. */
export async function loadOptional<T>(name: string, title: string): Promise<T> {
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    return (await import(/* @vite-ignore */ pathToFileURL(entry).href)) as T;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "MODULE_NOT_FOUND") throw cause;
    const advice = installAdvice(name, fileURLToPath(import.meta.url));
    throw new UsageError("NOT_INSTALLED", `${title} is not installed`, advice);
  }
}
