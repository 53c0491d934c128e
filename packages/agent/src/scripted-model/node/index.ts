// Any export added here becomes public API: named exports only.
export type { ChatMessage, ChatRequest, Script, ScriptedCall, ScriptedTurn } from "./script.js";
export { type ScriptedModel, startScriptedModel } from "./scripted-model.js";
