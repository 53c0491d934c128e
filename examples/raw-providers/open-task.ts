import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import { LibraryApprovals } from "@haft/prompt-formatter/library-approvals";
import { createNodeRuntime } from "@haft/runtime-node";
import { ReadFile, WriteFile } from "@haft/tool-fs";
import OpenAI from "openai";
import type { Conversation } from "./agent-loop.js";
import { anthropicConversation } from "./anthropic.js";
import { geminiConversation } from "./gemini.js";
import { openAiConversation } from "./openai.js";
import { responsesConversation } from "./openai-responses.js";

/** Where a task runs. Plain JSON, so that it can be passed to another process. */
export interface TaskPlace {
  readonly provider: Provider;
  readonly url: string;
  readonly workspace: string;
  readonly stateDirectory: string;
}

/** Opens a task with its stored messages. */
export async function openTask({ provider, url, workspace, stateDirectory }: TaskPlace, messages: object[]) {
  const runtime = await createNodeRuntime({
    workspace,
    stateDirectory,
    role: "editor",
    tools: [ReadFile, WriteFile],
    decidable: true,
  });
  const conversation = CONVERSATIONS[provider](url, runtime, messages as never);
  return { runtime, conversation, approvals: new LibraryApprovals(runtime, provider) };
}

export type Provider = "openai" | "openai-responses" | "anthropic" | "gemini";

type Opener = (
  url: string,
  runtime: Parameters<typeof openAiConversation>[1],
  messages: never,
) => Conversation;

const CONVERSATIONS: Readonly<Record<Provider, Opener>> = {
  openai: (url, ...rest) => openAiConversation(new OpenAI({ baseURL: url, apiKey: "none" }), ...rest),
  "openai-responses": (url, ...rest) =>
    responsesConversation(new OpenAI({ baseURL: url, apiKey: "none" }), ...rest),
  anthropic: (url, ...rest) =>
    anthropicConversation(new Anthropic({ baseURL: url, apiKey: "none" }), ...rest),
  gemini: (url, ...rest) =>
    geminiConversation(new GoogleGenAI({ httpOptions: { baseUrl: url }, apiKey: "none" }), ...rest),
};
