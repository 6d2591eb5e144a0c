import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { env, platform } from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** A file of this folder. */
export const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));
/** Where the generators are installed: never among the packages of the project. */
const toolsFolder = pathOf('../../cdk.out/clients/tools');
/** Where the generated clients are. */
export const clientsFolder = pathOf('../../cdk.out/clients/generated');
/** A program among the installed ones of Node. */
export const nodeProgram = (name: string) => join(toolsFolder, 'node_modules', '.bin', name);

const python = env['PYTHON'] ?? 'python3';
const venv = join(toolsFolder, 'venv');
const run = promisify(execFile);

/** Where the programs of the Python environment are. */
export const venvPrograms = join(venv, platform === 'win32' ? 'Scripts' : 'bin');

/** Installs the generators once, in exact versions; gives what is missing for that, or undefined. */
export async function installTools(): Promise<string | undefined> {
  const packages = readFileSync(pathOf('packages.json'), 'utf8');
  const versions = packages + readFileSync(pathOf('requirements.txt'), 'utf8');
  const installed = join(toolsFolder, 'installed.txt');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === versions) return undefined;
  rmSync(toolsFolder, { recursive: true, force: true });
  mkdirSync(toolsFolder, { recursive: true });
  writeFileSync(join(toolsFolder, 'package.json'), `{ "private": true, "dependencies": ${packages} }`);
  return (await installPython()) ?? (await installNode()) ?? (writeFileSync(installed, versions), undefined);
}

async function installPython(): Promise<string | undefined> {
  try {
    await run(python, ['-m', 'venv', venv]);
  } catch {
    return `${python} cannot make an environment (on Debian: apt-get install python3-venv; elsewhere: PYTHON=/path)`;
  }
  try {
    await run(join(venvPrograms, 'pip'), ['install', '--quiet', '--requirement', pathOf('requirements.txt')]);
    return undefined;
  } catch {
    return 'the registry of Python packages does not have the packages of test/clients/requirements.txt';
  }
}

async function installNode(): Promise<string | undefined> {
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'];
  try {
    await run('npm', ['install', ...options], { cwd: toolsFolder });
    return undefined;
  } catch {
    return 'the registry of npm does not have the packages of test/clients/packages.json';
  }
}

/** Runs a program to its end and gives all that it printed; when it fails, the error holds what it printed. */
export async function runProgram(program: string, options: readonly string[], cwd: string): Promise<string> {
  const environment = { ...env, PATH: `${venvPrograms}${delimiter}${env['PATH']}`, NO_COLOR: '1' };
  try {
    const { stdout, stderr } = await run(program, options, { cwd, env: environment });
    return stdout + stderr;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${options.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
  }
}
