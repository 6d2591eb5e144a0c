import { spawn } from 'node:child_process';
import { env, execPath, kill } from 'node:process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

const limitMs = 180_000;

/** Runs a script of this repository, or of a package, with Node; returns its output, or throws it. */
export type RunScript = (script: string, ...args: string[]) => Promise<string>;

/** Returns a runner whose scripts see nothing of this machine's AWS configuration, and end when the signal comes. */
export function scriptRunner(
  home: string,
  variables: Readonly<Record<string, string>>,
  signal: AbortSignal,
): RunScript {
  const environment = { PATH: env['PATH'], HOME: home, TMPDIR: home, CI: 'true', NO_COLOR: '1', ...variables };
  return async (script, ...args) => {
    const ending = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
    ending.throwIfAborted();
    // A group of its own, so that what a script has started ends with it.
    const child = spawn(execPath, [script, ...args], { cwd: root, detached: true, env: environment });
    const end = () => kill(-child.pid!);
    ending.addEventListener('abort', end);
    const [code, ...printed] = await Promise.all([
      new Promise<number | null>((resolve) => child.once('close', resolve)),
      text(child.stdout),
      text(child.stderr),
    ]);
    ending.removeEventListener('abort', end);
    signal.throwIfAborted();
    if (code !== 0)
      throw new Error(`${script} ${args.join(' ')} ended with ${code ?? 'a signal'}.\n${printed.join('')}`);
    return printed.join('');
  };
}
