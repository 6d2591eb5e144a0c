import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';

const LISTENS = '0A';

/** The program that listens at a port of this machine, and its process id; undefined where the system does not tell. */
export async function portOwner(port: number): Promise<string | undefined> {
  const owner = process.platform === 'linux' ? await linuxOwner(port) : await lsofOwner(port);
  return owner && `${owner.program} (process ${owner.id})`;
}

interface Owner {
  readonly program: string;
  readonly id: string;
}

async function linuxOwner(port: number): Promise<Owner | undefined> {
  const sockets = await socketsAt(port);
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  for (const id of ids) {
    // The files of other users' processes are not to be seen.
    const files = await readdir(`/proc/${id}/fd`).catch(() => []);
    const links = await Promise.all(files.map((file) => readlink(`/proc/${id}/fd/${file}`).catch(() => '')));
    if (links.some((link) => sockets.has(link))) return { program: await programOf(id), id };
  }
  return undefined;
}

/** The names of the sockets that listen at a port, as the files of a process show them. */
async function socketsAt(port: number): Promise<Set<string>> {
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')),
  );
  const rows = tables.flatMap((table) => table.split('\n').slice(1)).map((row) => row.trim().split(/\s+/));
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const listening = rows.filter(([, local = '', , state]) => state === LISTENS && local.endsWith(suffix));
  return new Set(listening.map((row) => `socket:[${row[9]}]`));
}

async function programOf(id: string): Promise<string> {
  const words = (await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')).split('\0');
  if (words.some((word) => word.endsWith('infra/local/start.ts'))) return 'another npm start';
  return basename(words[0] ?? '') || 'a program';
}

async function lsofOwner(port: number): Promise<Owner | undefined> {
  const search = promisify(execFile)('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc']);
  const { stdout } = await search.catch(() => ({ stdout: '' }));
  const [, id, program] = /^p(\d+)\nc(.+)$/m.exec(stdout) ?? [];
  return id !== undefined && program !== undefined ? { program, id } : undefined;
}
