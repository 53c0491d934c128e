const START = -2_128_831_035;

/**
 * Hashes paths with FNV-1a, never to 0. Paths arrive folder by folder, so the hash of the last folder is kept: in code
 * that V8 has not compiled yet, a step per character of every folder would take longer than the file's system calls.
 */
export class PathHash {
  private folder = "";
  private folderHash = START;

  of(path: string): number {
    const { folder } = this;
    if (!path.startsWith(folder) || path.indexOf("/", folder.length) >= 0) this.enter(path);
    return fnv(this.folderHash, path, this.folder.length) || 1;
  }

  private enter(path: string): void {
    this.folder = path.slice(0, path.lastIndexOf("/") + 1);
    this.folderHash = fnv(START, this.folder, 0);
  }
}

function fnv(start: number, text: string, from: number): number {
  let hash = start;
  for (let index = from; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 16_777_619);
  return hash;
}
