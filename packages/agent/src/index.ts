export { DEFAULT_LIMITS, type RunLimits } from "./event/limits.js";
