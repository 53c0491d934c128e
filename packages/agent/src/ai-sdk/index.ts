// Any export added here becomes public API: named exports only.
export { type AiSdk, type AiSdkModelOptions, aiSdkModel } from "./ai-sdk-model.js";
