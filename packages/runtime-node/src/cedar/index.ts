export { type CedarOptions, cedarPolicy } from "./cedar-policy.js";
