import type { ProjectSkill } from "@haft/prompt-formatter";
import { type ProjectReader, readOr } from "./project-reader.js";

/** Finds the project's skills: folders with a SKILL.md that states its purpose. The model reads them on demand. */
export async function findSkills(
  workspace: ProjectReader,
  trusted: boolean,
): Promise<readonly ProjectSkill[]> {
  const skills: ProjectSkill[] = [];
  for (const folder of SKILL_FOLDERS) {
    for (const name of await foldersIn(workspace, folder)) {
      const path = `${folder}/${name}/SKILL.md`;
      const text = await readOr(workspace, path);
      if (text !== undefined && skills.length < MAX_SKILLS)
        skills.push({ ...parseSkill(text, name), path, trusted });
    }
  }
  return skills;
}

const SKILL_FOLDERS = [".agents/skills", ".claude/skills", ".haft/skills", "skills"];
const MAX_SKILLS = 50;
const MAX_DESCRIPTION = 300;

async function foldersIn(workspace: ProjectReader, folder: string): Promise<readonly string[]> {
  try {
    if (!(await workspace.exists(folder))) return [];
    const entries = await workspace.list(folder);
    return entries.filter(({ type }) => type === "directory").map(({ path }) => path.split("/").at(-1) ?? "");
  } catch {
    return [];
  }
}

/** Reads name and description from the front matter, or else the first line of text. */
function parseSkill(text: string, folder: string): Pick<ProjectSkill, "name" | "description"> {
  const front = /^---\r?\n([\s\S]*?)\r?\n---/.exec(text)?.[1] ?? "";
  const field = (name: string) =>
    new RegExp(`^${name}:\\s*(.+)$`, "m")
      .exec(front)?.[1]
      ?.trim()
      .replace(/^(["'])(.*)\1$/, "$2");
  const body = text.slice(front === "" ? 0 : front.length + 8);
  const opening = body
    .split("\n")
    .map((line) => line.replace(/^#+\s*/, "").trim())
    .find((line) => line !== "");
  return {
    name: oneLine(field("name") ?? folder).slice(0, 80),
    description: oneLine(field("description") ?? opening ?? "").slice(0, MAX_DESCRIPTION),
  };
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
