// tsyringe refuses to load without the polyfill, so this is the only file that imports either.
import "reflect-metadata/lite";

export { container, type DependencyContainer } from "tsyringe";
