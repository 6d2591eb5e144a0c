/**
 * Prepares the start of a script. If the packages are missing or outdated, or Node is too old, prints a line and exits.
 * Then enables the compile cache, and generates the files that are not committed, because `npm ci` runs no scripts.
 * This file is plain JavaScript without packages, because it also runs before an installation and with an old Node.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, linkSync, readFileSync, statSync, utimesSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const root = new URL('../../', import.meta.url);
const installedList = new URL('node_modules/.package-lock.json', root);

if (!existsSync(installedList)) exitWith('The packages are not installed. Run: npm ci');
const installedPackages = readPackages(installedList);
const requiredPackages = Object.entries(readPackages(new URL('package-lock.json', root)));
const isOutdated = requiredPackages.some(([path, { version, optional }]) => {
  // The path of the service itself is empty. npm omits an optional package that does not support the platform.
  if (path === '' || optional) return false;
  return installedPackages[path]?.version !== version;
});
if (isOutdated) exitWith('The packages have changed since they were installed. Run: npm ci');

const MIN_NODE_MAJOR = 24;
const { versions, platform, arch, execArgv, argv } = process;
const { node } = versions;
if (Number.parseInt(node, 10) < MIN_NODE_MAJOR) {
  runAgainWithPackagedNode();
  // No package provides Node for this platform.
  const need = `The service needs Node ${MIN_NODE_MAJOR} or newer`;
  exitWith(`${need}, but this is Node ${node}. Install a newer version, then run: npm ci`);
}

// With the compile cache, a command starts in half the time.
module.enableCompileCache(fileURLToPath(new URL('cdk.out/compile-cache', root)));

const generatedFile = new URL('lib/contracts/validators.generated.js', root);
const isGenerated = existsSync(generatedFile) && statSync(generatedFile).mtimeMs >= statSync(installedList).mtimeMs;
if (!isGenerated) {
  execFileSync(process.execPath, [fileURLToPath(new URL('infra/generate/generate.ts', root))]);
  utimesSync(generatedFile, new Date(), new Date());
}

/**
 * Runs the command again with the Node of the packages, and exits. Returns if they contain no Node for this platform.
 * Also links this Node, because npm 10 (unlike npm 11) does not link a program that several packages contain.
 */
function runAgainWithPackagedNode() {
  const name = platform === 'win32' ? 'node.exe' : 'node';
  const system = platform === 'win32' ? 'win' : platform;
  const packagedNode = fileURLToPath(new URL(`node_modules/node-${system}-${arch}/bin/${name}`, root));
  if (!existsSync(packagedNode)) return;
  const link = fileURLToPath(new URL(`node_modules/.bin/${name}`, root));
  if (!existsSync(link)) linkSync(packagedNode, link);
  const { status } = spawnSync(packagedNode, [...execArgv, ...argv.slice(1)], { stdio: 'inherit' });
  process.exit(status ?? 1);
}

function readPackages(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}

function exitWith(message) {
  console.error(message);
  process.exit(1);
}
