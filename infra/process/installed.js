/**
 * Ends with a line if the packages are missing or outdated, or if Node is too old; enables the compile cache; and
 * generates the files that are not committed after `npm ci`, which runs no scripts. It is plain JavaScript for old
 * versions of Node, because the packages may not be installed yet.
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
// The path of the service itself is empty. npm omits an optional package that does not support the platform.
const isOutdated = requiredPackages.some(
  ([path, { version, optional }]) => path !== '' && !optional && installedPackages[path]?.version !== version,
);
if (isOutdated) exitWith('The packages have changed since they were installed. Run: npm ci');

const { versions, platform, arch, execArgv, argv } = process;
const { node } = versions;
if (Number.parseInt(node, 10) < 24) {
  runAgainWithPackage();
  // On platforms for which no package provides Node, this is the Node of the system.
  exitWith(`The service needs Node 24 or newer, but this is Node ${node}. Install a newer version, then run: npm ci`);
}

// With the compile cache, a command starts in half the time.
module.enableCompileCache(fileURLToPath(new URL('cdk.out/compile-cache', root)));

const generatedFile = new URL('lib/contracts/validators.generated.js', root);
if (!existsSync(generatedFile) || statSync(generatedFile).mtimeMs < statSync(installedList).mtimeMs) {
  execFileSync(process.execPath, [fileURLToPath(new URL('infra/generate/generate.ts', root))]);
  utimesSync(generatedFile, new Date(), new Date());
}

/**
 * Links the Node among the packages if there is one, runs the command again with it, and ends. npm 11 links it itself;
 * npm 10 does not, because the packages for other platforms contain a program with the same name.
 */
function runAgainWithPackage() {
  const name = platform === 'win32' ? 'node.exe' : 'node';
  const system = platform === 'win32' ? 'win' : platform;
  const packaged = fileURLToPath(new URL(`node_modules/node-${system}-${arch}/bin/${name}`, root));
  const link = fileURLToPath(new URL(`node_modules/.bin/${name}`, root));
  if (!existsSync(packaged)) return;
  if (!existsSync(link)) linkSync(packaged, link);
  const { status } = spawnSync(packaged, [...execArgv, ...argv.slice(1)], { stdio: 'inherit' });
  process.exit(status ?? 1);
}

function readPackages(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}

function exitWith(message) {
  console.error(message);
  process.exit(1);
}
