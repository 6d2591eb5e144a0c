import { execFile } from 'node:child_process';
import { delimiter } from 'node:path';
import { env } from 'node:process';
import { promisify } from 'node:util';
import { venvPrograms } from './tools.ts';

/** Runs a program to its end and gives all that it printed; when it fails, the error holds what it printed. */
export async function runProgram(program: string, options: readonly string[], cwd: string): Promise<string> {
  const environment = { ...env, PATH: `${venvPrograms}${delimiter}${env['PATH']}`, NO_COLOR: '1' };
  try {
    const { stdout, stderr } = await promisify(execFile)(program, options, { cwd, env: environment });
    return stdout + stderr;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${options.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
  }
}
