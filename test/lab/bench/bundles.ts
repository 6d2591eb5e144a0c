/** Builds the programs that the benchmarks compare, with the bundle options of the service. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type BuildOptions } from 'esbuild';
import { bundleOptions } from '../../../infra/constructs/bundles.ts';
import { readStack } from '../../../infra/local/read-stack.ts';
import { outputDirectory } from '../../../infra/local/synthesize.ts';
import { type ContractName, routes, signingKeyRotation } from '../../../infra/routes.ts';

/** A bundle, and the environment that it runs in. */
export interface Bundle {
  readonly file: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** The name of a function of the service. */
export type FunctionName = ContractName | 'rotate-signing-key';

/** The names of all functions of the service. */
export const functionNames = [...routes, signingKeyRotation].map(({ name }) => name as FunctionName);

/** The folder of everything that the benchmarks build. */
export const benchDirectory = join(outputDirectory, 'bench');

const peers = fileURLToPath(new URL('peers/', import.meta.url));
/** The folder of the peer's packages, which are not packages of the project. */
const peerPackages = join(benchDirectory, 'peers');

/** The commands of the document client that each function sends. */
const documentCommands: Readonly<Record<FunctionName, string>> = {
  login: 'BatchGet Get Update',
  'list-invoices': 'BatchGet Query Update',
  'get-invoice': 'BatchGet Get Query Update',
  'get-history': 'BatchGet Get Query Update',
  'validate-amount': 'BatchGet Get Query Update',
  'declare-invoice': 'BatchGet Query TransactWrite Update',
  'declare-batch': 'BatchGet Query TransactWrite Update',
  'legacy-dispatch': 'BatchGet Get Query TransactWrite Update',
  'rotate-signing-key': 'Query TransactWrite',
};

/** Returns the deployed bundle of a function, with the environment of the template. */
export function getServiceBundle(name: FunctionName): Bundle {
  const found = readStack().functions.find(({ id }) => id.startsWith(name.replaceAll('-', '')));
  if (!found) throw new Error(`The stack has no function ${name}.`);
  return { file: join(found.codeFolder, 'index.js'), environment: found.environment };
}

/** Bundles the minimum of a function's start: a document client with the function's commands and nothing else. */
export function bundleFloor(name: FunctionName): Promise<string> {
  const commands = documentCommands[name].split(' ');
  const imports = ['DynamoDBDocumentClient', ...commands.map((command) => `${command}Command`)];
  const contents = `
    import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
    import { ${imports.join(', ')} } from '@aws-sdk/lib-dynamodb';
    const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
    export const handler = (command, input) => client.send(new command(input));
    export const commands = [${imports.slice(1).join(', ')}];
  `;
  return bundle(`floor-${commands.join('-')}`, { stdin: { contents, resolveDir: peers, loader: 'js' } });
}

/** Bundles the peer, a program with Express that does the same work. Installs its packages once. */
export function bundlePeer(): Promise<string> {
  const packages = readFileSync(join(peers, 'packages.json'), 'utf8');
  const installed = join(peerPackages, 'installed.json');
  if (!existsSync(installed) || readFileSync(installed, 'utf8') !== packages) {
    console.log('Installing the packages of the peer, once ...');
    mkdirSync(peerPackages, { recursive: true });
    writeFileSync(join(peerPackages, 'package.json'), `{ "private": true, "dependencies": ${packages} }`);
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'];
    execFileSync('npm', ['install', ...options], { cwd: peerPackages });
    writeFileSync(installed, packages);
  }
  return bundle('peer', { entryPoints: [join(peers, 'express.js')], nodePaths: [join(peerPackages, 'node_modules')] });
}

async function bundle(name: string, input: BuildOptions): Promise<string> {
  const outfile = join(benchDirectory, `${name}.js`);
  await build({ ...bundleOptions, ...input, outfile, logLevel: 'error' });
  return outfile;
}
