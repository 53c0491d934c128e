export interface SampleWorkspace {
  readonly workspace: string;
  readonly stateDirectory: string;
  remove(): void;
}

export function sampleWorkspace(files: Readonly<Record<string, string>>): SampleWorkspace;
