import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { env, platform } from 'node:process';
import { promisify } from 'node:util';
import { pathOf, toolsFolder } from './folders.ts';

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
