import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** A bundle, and the environment that it runs in. */
export interface Bundle {
  readonly file: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** What a process used from its start on, in milliseconds. */
export interface Used {
  readonly cpuMs: number;
  readonly wallMs: number;
}

const script = fileURLToPath(new URL('cold.cjs', import.meta.url));

/** Starts a process that loads a bundle and, when there is an event file, answers it with 200; tells what that took. */
export async function runCold({ file, environment }: Bundle, eventFile?: string): Promise<Used> {
  const child = spawn(process.execPath, [script, file, ...(eventFile ? [eventFile] : [])], {
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  const [report, faults] = await Promise.all([text(child.stdio[3] as Readable), text(child.stderr as Readable)]);
  const { status, body, ...used } = report ? JSON.parse(report) : { status: undefined, body: faults };
  if (status !== 200) throw new Error(`${file} answers ${status} when it has just started: ${body}`);
  return used;
}
