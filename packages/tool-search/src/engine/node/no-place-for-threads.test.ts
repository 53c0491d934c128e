import { expect, it } from "vitest";
import { NodeSearchEngine } from "./node-search-engine.js";

it("works without threads if their file cannot be located, as in a program bundled into one CommonJS file", async () => {
  let asked = 0;
  const threads = () => {
    asked += 1;
    return { entry: new URL("./search-worker.js", undefined), guard: undefined };
  };
  const engine = new NodeSearchEngine({ root: import.meta.dirname, threads });
  await engine.warm();
  expect(asked).toBe(1);
  await engine.dispose();
});
