import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { env, platform } from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Returns the path of a file of this folder. */
export const resolvePath = (file: string) => fileURLToPath(new URL(file, import.meta.url));
/** The folder of the generators, which are not packages of the project. */
const toolsFolder = resolvePath('../../cdk.out/clients/tools');
/** The folder of the generated clients. */
export const clientsFolder = resolvePath('../../cdk.out/clients/generated');
/** Returns the path of an installed program of Node. */
export const getNodeBin = (name: string) => join(toolsFolder, 'node_modules', '.bin', name);

const python = env['PYTHON'] ?? 'python3';
const venv = join(toolsFolder, 'venv');
const run = promisify(execFile);

/** The folder of the programs of the Python environment. */
export const venvPrograms = join(venv, platform === 'win32' ? 'Scripts' : 'bin');

/** Installs the generators once, in exact versions. Returns what is missing for that, or undefined. */
export async function installTools(): Promise<string | undefined> {
  const packages = readFileSync(resolvePath('packages.json'), 'utf8');
  const versions = packages + readFileSync(resolvePath('requirements.txt'), 'utf8');
  const installed = join(toolsFolder, 'installed.txt');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === versions) return undefined;
  rmSync(toolsFolder, { recursive: true, force: true });
  mkdirSync(toolsFolder, { recursive: true });
  writeFileSync(join(toolsFolder, 'package.json'), `{ "private": true, "dependencies": ${packages} }`);
  const npmOptions = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'];
  const steps: readonly (readonly [needs: string, program: string, options: string[]])[] = [
    ['Java (on Debian: apt-get install default-jre-headless)', 'java', ['-version']],
    [
      'PHP with Guzzle (on Debian: apt-get install php-cli php-guzzlehttp-guzzle)',
      'php',
      ['-r', "require 'GuzzleHttp/autoload.php';"],
    ],
    [`an environment of ${python} (on Debian: apt-get install python3-venv)`, python, ['-m', 'venv', venv]],
    [
      'the packages of test/clients/requirements.txt in the registry of Python',
      join(venvPrograms, 'pip'),
      ['install', '--quiet', '--requirement', resolvePath('requirements.txt')],
    ],
    ['the packages of test/clients/packages.json in the registry of npm', 'npm', ['install', ...npmOptions]],
  ];
  for (const [needs, program, options] of steps) {
    try {
      await run(program, options, { cwd: toolsFolder });
    } catch {
      return needs;
    }
  }
  writeFileSync(installed, versions);
  return undefined;
}

/** Runs a program and returns its output; if the program fails, throws an error with its output. */
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
