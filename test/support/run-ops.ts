import { type ChildProcess, execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const cli = fileURLToPath(new URL('../../infra/ops/cli.ts', import.meta.url));

/** What a run of the command line printed, and its exit code. */
export interface OpsRun {
  readonly code: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

/** How to run it: its environment (beside PATH), its directory, and what it reads; `started` gets the process. */
export interface OpsSetting {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** null: standard input stays open. */
  readonly input?: string | null;
  readonly started?: (child: ChildProcess) => void;
}

/** Runs the operators' command line in a process of its own. */
export function runCli(args: readonly string[], { env, cwd, input = '', started }: OpsSetting = {}): Promise<OpsRun> {
  return new Promise((resolve) => {
    const options = { cwd, env: { PATH: process.env['PATH'], ...env } };
    const child = execFile(process.execPath, [cli, ...args], options, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, stdout, stderr }),
    );
    if (input !== null) child.stdin?.end(input);
    started?.(child);
  });
}

/** Runs it on the engine at this address. */
export function runOps(endpoint: string, ...args: string[]): Promise<OpsRun> {
  return runCli([...args, '--local'], { env: { AWS_ENDPOINT_URL_DYNAMODB: endpoint } });
}
