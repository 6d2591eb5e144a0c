import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ContractName } from '../../../../infra/routes.ts';
import type { Bundle } from '../processes/cold.ts';
import { benchDirectory, bundle } from './esbuild.ts';
import { serviceBundles } from './service.ts';

const files = {
  bare: 'bare.js',
  express: 'express.js',
  fastify: 'fastify.js',
};

/** A program that does the service's work with other means; `bare` makes its calls and nothing else. */
export type PeerName = keyof typeof files;

/** The names of all peers. */
export const peerNames = Object.keys(files) as PeerName[];

/** Where the packages of the peers are installed: never among those of the project. */
const peersDirectory = join(benchDirectory, 'peers');

const sources = new URL('../peers/', import.meta.url);

let ports: Promise<boolean> | undefined;

/** Installs the packages of the peers once; when that fails it says so in a line and gives false. */
function installPeers(): Promise<boolean> {
  ports ??= install();
  return ports;
}

async function install(): Promise<boolean> {
  const packages = readFileSync(new URL('packages.json', sources), 'utf8');
  const installed = join(peersDirectory, 'installed.json');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === packages) return true;
  console.log('Installing the programs to compare with, once ...');
  mkdirSync(peersDirectory, { recursive: true });
  writeFileSync(join(peersDirectory, 'package.json'), `{ "private": true, "dependencies": ${packages} }`);
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'];
  try {
    await promisify(execFile)('npm', ['install', ...options], { cwd: peersDirectory });
  } catch {
    console.log('They cannot be had from the registry of packages: what is compared with them is left out.');
    return false;
  }
  writeFileSync(installed, packages);
  return true;
}

/** Bundles a peer as the service's functions are bundled; undefined when its packages are not there. */
async function bundlePeer(name: PeerName): Promise<string | undefined> {
  return name === 'bare' || (await installPeers()) ? bundleFile(files[name]) : undefined;
}

function bundleFile(file: string): Promise<string> {
  return bundle(`peer-${parse(file).name}`, {
    entryPoints: [fileURLToPath(new URL(file, sources))],
    nodePaths: [join(peersDirectory, 'node_modules')],
  });
}

/**
 * Returns the bundle of a function (as `service`), and the bundles of the peers that could be installed, by their names
 * and with this environment.
 */
export async function comparedBundles(
  name: ContractName,
  environment: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, Bundle>>> {
  const own = (await serviceBundles())[name];
  const bundles: Record<string, Bundle> = {
    service: { ...own, environment: { ...own.environment, ...environment } },
  };
  for (const peer of peerNames) {
    const file = await bundlePeer(peer);
    if (file) bundles[peer] = { file, environment: { ...environment, AWS_LAMBDA_FUNCTION_NAME: peer } };
  }
  return bundles;
}
