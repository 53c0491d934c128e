import { createTestRuntime } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { gatherProject } from "./project-context.js";

const project = (files: Readonly<Record<string, string>>) =>
  createTestRuntime({ tools: [], files }).workspace;

describe("FU1 the project context for the model", () => {
  it("contains instructions from the root down to the touched files, folder, date and branch", async () => {
    const workspace = project({
      "AGENTS.md": "Use tabs.\n",
      "CLAUDE.md": "@AGENTS.md\n",
      "packages/a/AGENTS.md": "Only in a.\n",
      "packages/b/AGENTS.md": "Only in b.\n",
      ".git/HEAD": "ref: refs/heads/topic/x\n",
    });
    const found = await gatherProject(workspace, {
      filesInPlay: ["packages/a/src/index.ts"],
      isTrusted: true,
      system: "linux",
      date: new Date("2026-01-02T03:04:05Z"),
    });
    expect(found.instructions).toEqual([
      { path: "AGENTS.md", text: "Use tabs.", trusted: true },
      { path: "packages/a/AGENTS.md", text: "Only in a.", trusted: true },
    ]);
    expect(found.environment).toMatchObject({ system: "linux", date: "2026-01-02" });
    expect(found.environment.folder).toBe(workspace.absolute(""));
  });

  it("is untrusted unless the host trusts it; truncates long files with a note", async () => {
    const found = await gatherProject(project({ "CLAUDE.md": "x".repeat(20_000) }));
    expect(found.instructions[0]?.trusted).toBe(false);
    expect(found.instructions[0]?.text).toMatch(/\(cut; CLAUDE\.md has 20000 characters\)$/);
  });

  it("lists skills by name and description, in every known folder", async () => {
    const found = await gatherProject(
      project({
        ".claude/skills/release/SKILL.md":
          "---\nname: release\ndescription: How to publish a version\n---\n\nSteps…\n",
        "skills/triage/SKILL.md": "# Triage issues\n\nRead them.\n",
        "skills/README.md": "No skill.\n",
      }),
    );
    expect(found.skills).toEqual([
      {
        name: "release",
        description: "How to publish a version",
        path: ".claude/skills/release/SKILL.md",
        trusted: false,
      },
      { name: "triage", description: "Triage issues", path: "skills/triage/SKILL.md", trusted: false },
    ]);
  });

  it("is empty for an empty or unreadable project", async () => {
    const found = await gatherProject(project({ "AGENTS.md": " \n" }));
    expect(found).toMatchObject({ instructions: [], skills: [] });
  });
});
