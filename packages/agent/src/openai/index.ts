// Any export added here becomes public API: named exports only.
export { type OpenAiModelOptions, openAiModel } from "./openai-model.js";
