import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** A process that runs on this machine. */
interface RunningProcess {
  readonly id: number;
  readonly parentId: number;
  readonly command: string;
}

/** Lists the processes that run on this machine. */
async function listProcesses(): Promise<RunningProcess[]> {
  return process.platform === 'linux' ? readProcFolder() : runPs();
}

/** Reads the processes from /proc, because minimal Linux images have no ps. */
async function readProcFolder(): Promise<RunningProcess[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    ids.map(async (id) => {
      // The files are missing if the process has ended in the meantime.
      const read = (name: string) => readFile(`/proc/${id}/${name}`, 'utf8').catch(() => '');
      const [status, commandLine] = await Promise.all([read('status'), read('cmdline')]);
      const readField = (name: string) => new RegExp(String.raw`^${name}:\s+(\w+)`, 'm').exec(status)?.[1];
      const parentId = readField('PPid');
      if (parentId === undefined || readField('State') === 'Z') return [];
      const command = commandLine.replaceAll('\0', ' ').trim();
      return [{ id: Number(id), parentId: Number(parentId), command }];
    }),
  );
  return found.flat();
}

async function runPs(): Promise<RunningProcess[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,stat=,args='], {
    maxBuffer: 16 * 1024 * 1024,
  });
  return stdout.split('\n').flatMap((line) => {
    const [, id, parentId, state = '', command = ''] = /^ *(\d+) +(\d+) +(\S+) +(.*)$/.exec(line) ?? [];
    // A process that has ended (zombie) is listed until its parent reads its exit status.
    if (id === undefined || state.startsWith('Z')) return [];
    return [{ id: Number(id), parentId: Number(parentId), command }];
  });
}

/** Returns a process and all its descendants. */
export async function readProcessTree(id: number): Promise<RunningProcess[]> {
  const all = await listProcesses();
  const tree = all.filter((process) => process.id === id);
  for (const { id: parentId } of tree) tree.push(...all.filter((process) => process.parentId === parentId));
  return tree;
}

/** Returns the processes that are still running. */
export async function findRunning(processes: readonly RunningProcess[]): Promise<RunningProcess[]> {
  const ids = new Set(processes.map(({ id }) => id));
  return (await listProcesses()).filter(({ id }) => ids.has(id));
}
