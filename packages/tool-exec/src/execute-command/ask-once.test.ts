import { COMMAND_HOST, type CommandHost } from "@haft/core/capabilities";
import { describe, expect, it } from "vitest";
import { askOnce } from "./ask-once.js";

describe("askOnce", () => {
  it("FR8 190 git queries of one command line run one by one, each of them once", async () => {
    let runs = 0;
    const gitKeys = async (cwd: string) => {
      runs += 1;
      return [`${cwd}.${runs}`];
    };
    const host = askOnce({ ...silent, gitKeys });
    for (let count = 0; count < 190; count += 1) expect(await host.gitKeys(".")).toEqual(["..1"]);
    expect(runs).toBe(1);
    const directories = Array.from({ length: 400 }, (_, index) => `d${index}`);
    const answers: unknown[] = [];
    for (const directory of directories) answers.push(await host.gitKeys(directory));
    expect(runs).toBe(256);
    expect(answers[189]).toEqual(["d189.191"]);
    expect(answers.at(-1)).toBeUndefined();
    expect(await host.gitKeys(".")).toEqual(["..1"]);
  });

  it("FR8 the next judgement queries again, because the state may have changed", async () => {
    let truth = "one";
    const host = { ...silent, gitKeys: async () => [truth] };
    const first = askOnce(host);
    expect(await first.gitKeys(".")).toEqual(["one"]);
    truth = "two";
    expect(await first.gitKeys(".")).toEqual(["one"]);
    expect(await askOnce(host).gitKeys(".")).toEqual(["two"]);
  });
});

const silent = COMMAND_HOST.create?.(() => undefined as never) as CommandHost;
