import type { ProjectInstructions, ProjectSkill, PromptEnvironment } from "@haft/prompt-formatter";
import { cutBefore } from "@haft/text";
import { findSkills } from "./find-skills.js";
import { type ProjectReader, readOr } from "./project-reader.js";

export interface ProjectContext {
  readonly environment: PromptEnvironment;
  readonly instructions: readonly ProjectInstructions[];
  readonly skills: readonly ProjectSkill[];
}

/** Gathers the project context for the files a run has touched so far. Never rejects. */
export type ProjectSource = (filesInPlay: readonly string[]) => Promise<ProjectContext>;

export interface ProjectOptions {
  /** Whether a person trusts the workspace. Default: false. */
  readonly isTrusted?: boolean;
  /** Files the run has touched; the instructions of their folders are included. */
  readonly filesInPlay?: readonly string[];
  /** The operating system, such as "linux". */
  readonly system?: string;
  /** Default: now. */
  readonly date?: Date;
}

/** Gathers environment, instructions and skills. Never rejects: skips unreadable files. */
export async function gatherProject(
  workspace: ProjectReader,
  { isTrusted = false, filesInPlay = [], system, date = new Date() }: ProjectOptions = {},
): Promise<ProjectContext> {
  const branch = await gitBranch(workspace);
  return {
    environment: {
      folder: workspace.absolute(""),
      ...(system !== undefined && { system }),
      date: date.toISOString().slice(0, 10),
      ...(branch !== undefined && { branch }),
    },
    instructions: await instructionsFor(workspace, filesInPlay, isTrusted),
    skills: await findSkills(workspace, isTrusted),
  };
}

async function instructionsFor(
  workspace: ProjectReader,
  filesInPlay: readonly string[],
  trusted: boolean,
): Promise<readonly ProjectInstructions[]> {
  const found: ProjectInstructions[] = [];
  let room = MAX_ALL_CHARS;
  for (const folder of foldersAbove(filesInPlay)) {
    for (const name of INSTRUCTION_FILES) {
      const path = folder === "" ? name : `${folder}/${name}`;
      const text = await readOr(workspace, path);
      if (text === undefined || text.trim() === "" || room <= 0 || isKnown(text, found)) continue;
      const shown = bounded(text.trim(), Math.min(room, MAX_FILE_CHARS), path);
      room -= shown.length;
      found.push({ path, text: shown, trusted });
    }
  }
  return found;
}

const INSTRUCTION_FILES = ["AGENTS.md", "CLAUDE.md"];
const MAX_FILE_CHARS = 16_000;
const MAX_ALL_CHARS = 40_000;
const MAX_FOLDERS = 50;

/** Returns the root, then every folder above a touched file. */
function foldersAbove(files: readonly string[]): readonly string[] {
  const folders = new Set([""]);
  for (const file of files) {
    const parts = file.split("/").slice(0, -1);
    parts.forEach((_, index) => {
      folders.add(parts.slice(0, index + 1).join("/"));
    });
  }
  return [...folders]
    .sort((a, b) => a.split("/").length - b.split("/").length || (a < b ? -1 : 1))
    .slice(0, MAX_FOLDERS);
}

/** One file is often a link to the other, or only imports it. */
function isKnown(text: string, found: readonly ProjectInstructions[]): boolean {
  const imported = /^@(?:\.\/)?AGENTS\.md$/.test(text.trim());
  return imported || found.some((other) => other.text === text.trim());
}

function bounded(text: string, maxChars: number, path: string): string {
  if (text.length <= maxChars) return text;
  return `${text.slice(0, cutBefore(text, maxChars))}\n(cut; ${path} has ${text.length} characters)`;
}

/** Returns the checked-out branch, or a short commit id. */
async function gitBranch(workspace: ProjectReader): Promise<string | undefined> {
  const head = (await readOr(workspace, ".git/HEAD"))?.trim() ?? "";
  const branch = /^ref: refs\/heads\/([\w./-]{1,200})$/.exec(head)?.[1];
  return branch ?? (/^[0-9a-f]{40}$/.test(head) ? head.slice(0, 8) : undefined);
}
