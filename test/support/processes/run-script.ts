import { type ChildProcess, execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { buildMinimalEnvironment } from '../setup/own-environment.ts';

/** The output and exit code of a script. */
export interface ScriptRun {
  readonly code: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

/** Options for a script. `env` is added to a minimal environment, and `started` receives the process. */
export interface ScriptSetting {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** The standard input. null: it stays open. */
  readonly input?: string | Buffer | null;
  /** A shell command that limits the process, such as `ulimit -f 0`. */
  readonly limits?: string;
  readonly started?: (child: ChildProcess) => void;
}

/** Runs a script in a separate process. `script` is its path in the repository. */
export function runScript(
  script: string,
  args: readonly string[],
  { env, cwd, input = '', limits, started }: ScriptSetting = {},
): Promise<ScriptRun> {
  const path = fileURLToPath(new URL(`../../../${script}`, import.meta.url));
  return new Promise((resolve) => {
    const options = { cwd, env: { ...buildMinimalEnvironment(), ...env } };
    const command = [process.execPath, path, ...args];
    const [file = '', ...commandArgs] = limits ? ['sh', '-c', `${limits}; exec "$@"`, 'sh', ...command] : command;
    const child = execFile(file, commandArgs, options, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, stdout, stderr }),
    );
    if (input !== null) child.stdin?.end(input);
    started?.(child);
  });
}
