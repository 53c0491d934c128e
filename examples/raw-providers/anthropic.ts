import type Anthropic from "@anthropic-ai/sdk";
import type { ToolRuntime } from "@haft/core";
import { toAnthropicToolResult, toAnthropicTools } from "@haft/prompt-formatter";
import type { Conversation } from "./agent-loop.js";

/** Anthropic's Messages API. */
export function anthropicConversation(
  client: Anthropic,
  runtime: ToolRuntime,
  messages: Anthropic.MessageParam[],
): Conversation {
  const lastBlocks = () => {
    const last = messages.at(-1);
    return last?.role === "assistant" && typeof last.content !== "string" ? last.content : [];
  };
  return {
    messages,
    async send() {
      const tools = [...toAnthropicTools(runtime.tools())];
      const request = { model: "claude-sonnet-5-5", max_tokens: 4096, messages, tools };
      const { content } = await client.messages.create(request);
      messages.push({ role: "assistant", content });
    },
    openCalls: () =>
      lastBlocks().flatMap((block) =>
        block.type === "tool_use" ? [{ callId: block.id, tool: block.name, args: block.input }] : [],
      ),
    addResults: (results) => messages.push({ role: "user", content: results.map(toAnthropicToolResult) }),
    text: () =>
      lastBlocks()
        .map((block) => (block.type === "text" ? block.text : ""))
        .join(""),
  };
}
