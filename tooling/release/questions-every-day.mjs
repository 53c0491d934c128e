// How the questions under "Every day" are tried.
import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { commandsOf, jsonOf } from "./question-kit.mjs";

const UNDO = "guides/undo-and-audit.md";
const POLICIES = "guides/policies.md";

export const EVERY_DAY = {
  async "undo a call"({ run, cwd }) {
    await run(create("b.txt", "--approve all"));
    const [changes, undo, undoOne] = commandsOf(UNDO, "undo-a-call");
    assert.match(await run(changes), /create b\.txt/);
    await run(undo);
    assert.equal(existsSync(join(cwd, "b.txt")), false);
    const made = JSON.parse(await run(create("c.txt", "--approve all --json")));
    await run(undoOne.replace("CALL_ID", made.callId));
    assert.equal(existsSync(join(cwd, "c.txt")), false);
  },

  async "whole session"(trial) {
    const model = await trial.scriptedModel([{ calls: [call("b.txt"), call("c.txt")] }, { text: "Done." }]);
    await trial.run(`haft run "write" --model m --base-url ${model.url} --approve all`);
    await model.close();
    const [runs, dryRun, undo] = commandsOf(UNDO, "undo-a-session");
    const id = idIn(await trial.run(runs));
    assert.match(await trial.run(withoutComment(dryRun).replace("ID", id)), /b\.txt/);
    assert.equal(existsSync(join(trial.cwd, "b.txt")), true);
    await trial.run(undo.replace("ID", id));
    assert.deepEqual(
      ["b.txt", "c.txt"].filter((name) => existsSync(join(trial.cwd, name))),
      [],
    );
  },

  async resume(trial) {
    const model = await trial.scriptedModel([{ fail: 401, message: "no" }, { text: "Done." }]);
    await trial.run(`haft run "write" --model m --base-url ${model.url}`, { fails: true });
    const [runs, resume] = commandsOf("start/models.md", "resume");
    idIn(await trial.run(runs));
    const printed = await trial.run(resume, { HAFT_MODEL: "m", HAFT_BASE_URL: model.url });
    await model.close();
    assert.match(printed, /Done\./);
  },

  async "stop being asked"({ run, answer, cwd }) {
    assert.match(await answer(create("b.txt"), "a"), /a = yes, always/);
    assert.equal(existsSync(join(cwd, "b.txt")), true);
    assert.match(await run("haft policy grants"), /b\.txt/);
  },

  async revoke({ run, answer }) {
    await answer(create("b.txt"), "a");
    const [grants, revoke] = commandsOf(POLICIES, "revoke");
    await run(revoke.replace("ID", idIn(await run(grants))));
    assert.match(await run(grants), /No grants/);
  },

  async "`make`"({ run, write }) {
    write("Makefile", "all:\n\t@echo made it\n");
    const make = `haft call execute_command '{"command":"make"}'`;
    await run(make, { fails: true });
    write("haft.config.json", jsonOf(POLICIES, "allow-a-command"));
    await run("haft trust --yes");
    assert.match(await run(make), /made it/);
  },

  async folders({ run, write }) {
    const config = jsonOf(POLICIES, "limit-folders");
    const allow = { effect: "allow", when: { path: "src/**", change: ["create"] } };
    write("haft.config.json", { rules: [...config.rules, allow] });
    await run("haft trust --yes");
    await run(create("src/b.txt"));
    assert.match(await run(create("b.txt", "--approve all"), { fails: true }), /POLICY_DENIED/);
  },

  async "hide files"({ run, write }) {
    write("private/b.txt", "hidden\n");
    write("haft.config.json", jsonOf(POLICIES, "hide-files"));
    assert.match(await run(read("private/b.txt"), { fails: true }), /SENSITIVE|protected|sensitive/i);
    assert.doesNotMatch(await run(`haft call grep '{"pattern":"hidden"}'`), /private/);
  },

  async "project instructions"({ run, write }) {
    write("AGENTS.md", "Always greet in Norwegian.\n");
    const line = "haft prompt --style compact";
    assert.match(await run(line), /Always greet in Norwegian\./);
  },

  async "state kept"({ run, cwd, stateFolder }) {
    await run(create("b.txt", "--approve all"));
    assert.deepEqual(readdirSync(cwd).sort(), ["a.txt", "b.txt"]);
    assert.equal(existsSync(stateFolder), true);
    assert.ok((await run("haft doctor")).replaceAll(/\n\s*/g, "").includes(stateFolder));
  },
};

function create(path, options = "") {
  return `haft call create_file '${JSON.stringify({ path, content: "text\n" })}' ${options}`;
}

function read(path) {
  return `haft call read_file '${JSON.stringify({ path })}'`;
}

function call(path) {
  return { name: "create_file", args: { path, content: "text\n" } };
}

function withoutComment(line) {
  return line.replace(/\s+#.*/, "");
}

/** The id of the first row of a table. */
function idIn(table) {
  const [, id] =
    /^(?:ID.*\n|SESSION.*\n)?([0-9a-z][\w-]{5,})/im.exec(table.split("\n").slice(1).join("\n")) ?? [];
  if (id === undefined) throw new Error(`no id in:\n${table}`);
  return id;
}
