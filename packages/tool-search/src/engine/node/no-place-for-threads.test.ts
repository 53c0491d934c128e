import { expect, it } from "vitest";
import { NodeSearchEngine } from "./node-search-engine.js";

it("threads whose file cannot be named, as in a program bundled into one CommonJS file, are done without", async () => {
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
