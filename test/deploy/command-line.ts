import { spawn } from 'node:child_process';
import { env, execPath, kill } from 'node:process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

const limitMs = 180_000;

/** A function that runs a script with Node. Returns its output, or throws an error with the output. */
export type RunScript = (script: string, ...args: string[]) => Promise<string>;

/** Creates a function that runs scripts without this machine's AWS configuration, and ends them on the signal. */
export function createScriptRunner(
  home: string,
  variables: Readonly<Record<string, string>>,
  signal: AbortSignal,
): RunScript {
  const environment = { PATH: env['PATH'], HOME: home, TMPDIR: home, CI: 'true', NO_COLOR: '1', ...variables };
  return async (script, ...args) => {
    const stopSignal = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
    stopSignal.throwIfAborted();
    // The script has its own process group, so that its child processes end with it.
    const child = spawn(execPath, [script, ...args], { cwd: root, detached: true, env: environment });
    const killGroup = () => kill(-child.pid!);
    stopSignal.addEventListener('abort', killGroup);
    const [code, ...outputs] = await Promise.all([
      new Promise<number | null>((resolve) => child.once('close', resolve)),
      text(child.stdout),
      text(child.stderr),
    ]);
    stopSignal.removeEventListener('abort', killGroup);
    signal.throwIfAborted();
    if (code !== 0)
      throw new Error(`${script} ${args.join(' ')} ended with ${code ?? 'a signal'}.\n${outputs.join('')}`);
    return outputs.join('');
  };
}
