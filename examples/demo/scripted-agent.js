// Stands in for a model, so that the demo needs no key and no network: what it calls next depends on what it heard.
import { BUG, FIX } from "./shop-project.js";

const RUN_TESTS = { language: "bash", code: "node --test --test-reporter=spec" };

/** One turn of the script, from the request a model server gets. */
export function nextTurn({ messages }) {
  const turns = messages.filter(({ role }) => role === "assistant").length;
  const lastResult = String(messages.filter(({ role }) => role === "tool").at(-1)?.content ?? "");
  if (turns < WORK.length) return WORK[turns];
  const isTested = /pass 2\b/.test(lastResult);
  // Not every machine has a sandbox with Node in it; the tests can be run as a command just as well.
  if (!isTested && turns === WORK.length)
    return { calls: [{ name: "execute_command", args: { command: "npm test" } }] };
  if (!isTested) return { text: "I changed src/discount.js, but the tests still do not pass." };
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
  { text: "Now the tests, in the sandbox.", calls: [{ name: "run_code", args: RUN_TESTS }] },
];
