import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** A process of this machine. */
export interface RunningProcess {
  readonly id: number;
  readonly parentId: number;
  readonly residentBytes: number;
  readonly command: string;
}

/** The processes that run on this machine now. */
async function runningProcesses(): Promise<RunningProcess[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,rss=,stat=,args='], {
    maxBuffer: 16 * 1024 * 1024,
  });
  return stdout.split('\n').flatMap((line) => {
    const [, id, parentId, kilobytes, state = '', command = ''] =
      /^ *(\d+) +(\d+) +(\d+) +(\S+) +(.*)$/.exec(line) ?? [];
    // One that has ended is listed until its parent has taken note.
    if (id === undefined || state.startsWith('Z')) return [];
    return [{ id: Number(id), parentId: Number(parentId), residentBytes: Number(kilobytes) * 1024, command }];
  });
}

/** A process and those that it has started, directly or not. */
export async function processTree(id: number): Promise<RunningProcess[]> {
  const all = await runningProcesses();
  const tree = all.filter((process) => process.id === id);
  for (const { id: parentId } of tree) tree.push(...all.filter((process) => process.parentId === parentId));
  return tree;
}

/** Those of some processes that still run. */
export async function survivorsOf(processes: readonly RunningProcess[]): Promise<RunningProcess[]> {
  const ids = new Set(processes.map(({ id }) => id));
  return (await runningProcesses()).filter(({ id }) => ids.has(id));
}
