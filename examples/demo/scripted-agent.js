// Replaces the model, so that the demo needs no key and no network. Its next call depends on the previous results.
import { BUG, FIX } from "./shop-project.js";

/** Returns one turn of the script for the request that a model server received. */
export function nextTurn({ messages }) {
  const turns = messages.filter(({ role }) => role === "assistant").length;
  const lastResult = String(messages.filter(({ role }) => role === "tool").at(-1)?.content ?? "");
  if (turns < WORK.length) return WORK[turns];
  if (!/pass 2\b/.test(lastResult))
    return { text: "I changed src/discount.js, but the tests still do not pass." };
  return {
    text: "Fixed. discountOf returned what members pay instead of what is taken off, so they paid a tenth. It now returns sum / 10, and both tests pass.",
  };
}

const WORK = [
  {
    text: "I look for where the discount is made.",
    calls: [{ name: "grep", args: { pattern: "discountOf|isMember", path: "src" } }],
  },
  {
    calls: [
      { name: "read_file", args: { path: "src/discount.js" } },
      { name: "read_file", args: { path: "test/cart.test.js" } },
    ],
  },
  {
    text: "It returns the reduced price, where the caller expects what is taken off.",
    calls: [{ name: "edit", args: { path: "src/discount.js", old_string: BUG, new_string: FIX } }],
  },
  { text: "Now the tests.", calls: [{ name: "execute_command", args: { command: "npm test" } }] },
];
