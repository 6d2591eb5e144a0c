import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { env, platform } from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Returns the path of a file of this folder. */
const resolvePath = (file: string) => fileURLToPath(new URL(file, import.meta.url));
/** The folder of the generators, which are not packages of the project. */
const toolsFolder = resolvePath('../../cdk.out/clients/tools');
/** The folder of the generated clients. */
export const clientsFolder = resolvePath('../../cdk.out/clients/generated');
/** Returns the path of an installed program of Node. */
export const getNodeBin = (name: string) => join(toolsFolder, 'node_modules', '.bin', name);

const venv = join(toolsFolder, 'venv');
const run = promisify(execFile);

/** The folder of the programs of the Python environment. */
export const venvPrograms = join(venv, platform === 'win32' ? 'Scripts' : 'bin');

/** Installs the generators once, in exact versions. */
export async function installTools(): Promise<void> {
  const packages = readFileSync(resolvePath('packages.json'), 'utf8');
  const requirements = resolvePath('requirements.txt');
  const versions = packages + readFileSync(requirements, 'utf8');
  const installed = join(toolsFolder, 'installed.txt');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === versions) return;
  rmSync(toolsFolder, { recursive: true, force: true });
  mkdirSync(toolsFolder, { recursive: true });
  writeFileSync(join(toolsFolder, 'package.json'), `{ "private": true, "dependencies": ${packages} }`);
  await runProgram(env['PYTHON'] ?? '', ['-m', 'venv', venv], toolsFolder);
  await runProgram(join(venvPrograms, 'pip'), ['install', '--quiet', '--requirement', requirements], toolsFolder);
  const npmOptions = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'];
  await runProgram('npm', ['install', ...npmOptions], toolsFolder);
  writeFileSync(installed, versions);
}

/** Runs a program and returns its output; if the program fails, throws an error with its output. */
export async function runProgram(
  program: string,
  options: readonly string[],
  cwd: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<string> {
  const environment = { ...env, ...variables, PATH: `${venvPrograms}${delimiter}${env['PATH']}`, NO_COLOR: '1' };
  try {
    const { stdout, stderr } = await run(program, options, { cwd, env: environment });
    return stdout + stderr;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${options.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
  }
}
