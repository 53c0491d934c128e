import type { ScriptedCall, ScriptedTurn } from "./script.js";

/** Returns the events of a stream, in pieces so small that they split words, JSON and characters. */
export function streamEvents(turn: ScriptedTurn, n: number): readonly string[] {
  const { text = "", reasoning = "", calls = [] } = turn;
  const deltas = [
    { role: "assistant", content: "" },
    ...split(reasoning, TEXT_UNITS).map((piece) => ({ reasoning_content: piece })),
    ...split(text, TEXT_UNITS).map((piece) => ({ content: piece })),
    ...calls.flatMap((call, index) => callDeltas(call, { index, n })),
  ];
  const chunks = deltas.map((delta) => chunk({ choices: [{ index: 0, delta, finish_reason: null }] }));
  const last = chunk({ choices: [{ index: 0, delta: {}, finish_reason: finishOf(turn) }] });
  return [...chunks, last, chunk({ choices: [], usage: usageOf(turn) }), "[DONE]"];
}

/** Returns the turn as one response, for clients that do not stream. */
export function wholeAnswer(turn: ScriptedTurn, n: number): string {
  const calls = (turn.calls ?? []).map((call, index) => ({
    id: idOf(call, { index, n }),
    type: "function",
    function: { name: call.name, arguments: argsText(call) },
  }));
  const message = {
    role: "assistant",
    content: turn.text ?? null,
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  return chunk({ choices: [{ index: 0, message, finish_reason: finishOf(turn) }], usage: usageOf(turn) });
}

const TEXT_UNITS = 7;
const ARGS_UNITS = 9;

function usageOf({ inputTokens = 100 }: ScriptedTurn) {
  return { prompt_tokens: inputTokens, completion_tokens: 10, total_tokens: inputTokens + 10 };
}

interface Place {
  readonly index: number;
  readonly n: number;
}

function callDeltas(call: ScriptedCall, place: Place): readonly object[] {
  const { index } = place;
  const id = idOf(call, place);
  const start = { index, ...(id !== "" && { id }), type: "function", function: { name: call.name } };
  const pieces = split(argsText(call), ARGS_UNITS).map((piece) => ({
    tool_calls: [{ index, function: { arguments: piece } }],
  }));
  return [{ tool_calls: [start] }, ...pieces];
}

function idOf({ id }: ScriptedCall, { index, n }: Place): string {
  return id ?? `call_${n}_${index}`;
}

function argsText({ args = {} }: ScriptedCall): string {
  return typeof args === "string" ? args : JSON.stringify(args);
}

function finishOf({ finish, calls = [] }: ScriptedTurn): string {
  return finish ?? (calls.length > 0 ? "tool_calls" : "stop");
}

function split(text: string, units: number): readonly string[] {
  const characters = [...text];
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += units)
    pieces.push(characters.slice(at, at + units).join(""));
  return pieces;
}

function chunk(body: object): string {
  return JSON.stringify({
    id: "chatcmpl-scripted",
    object: "chat.completion.chunk",
    model: "scripted",
    ...body,
  });
}
