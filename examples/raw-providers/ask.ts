// The first process: works until a call needs approval, stores the messages, and waits to be killed.
import assert from "node:assert/strict";
import { runTask } from "./agent-loop.js";
import { openTask } from "./open-task.js";

const [place = "", messages = ""] = process.argv.slice(2);
const { conversation, approvals } = await openTask(JSON.parse(place), JSON.parse(messages));
const outcome = await runTask(conversation, approvals);
assert.ok("questions" in outcome);
const diffs = outcome.questions.flatMap(({ changes }) => changes.map(({ diff }) => diff));
console.log(JSON.stringify({ messages: conversation.messages, diffs }));
setInterval(() => {}, 1000);
