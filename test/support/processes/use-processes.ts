import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, expect } from 'vitest';

/** The command of `npm start` without npm, on free ports and without demo data. */
export const startCommand = [
  process.execPath,
  fileURLToPath(new URL('../../../infra/local/start/start.ts', import.meta.url)),
  ...['--empty', '--port', '0', '--dynamodb-port', '0'],
];

/** Returns a function that starts commands and records their output. After the tests, all processes are killed. */
export function useProcesses() {
  const children: ChildProcess[] = [];
  afterAll(() => children.forEach((child) => child.kill('SIGKILL')));

  return ([program = '', ...args]: readonly string[], variables: NodeJS.ProcessEnv = {}) => {
    const child = spawn(program, args, { env: { ...process.env, ...variables } });
    children.push(child);
    const output = { stdout: '', stderr: '' };
    child.stdout.on('data', (text) => (output.stdout += text));
    child.stderr.on('data', (text) => (output.stderr += text));
    return {
      child,
      output,
      /** The exit code (null after a signal) and the complete output. */
      exit: once(child, 'close').then(([code]) => ({ code: code as number | null, ...output })),
      ready: () => expect.poll(() => output.stdout, { timeout: 30_000 }).toMatch(/^Ready: http.+\n$/m),
    };
  };
}
