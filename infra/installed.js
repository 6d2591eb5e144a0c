/**
 * Says in a line what is missing before `npm ci`, and where the Node is too old; plain JavaScript of old, for there may
 * be nothing yet but the Node of the system.
 */
import { existsSync, readFileSync } from 'node:fs';

const root = new URL('../', import.meta.url);
const list = new URL('node_modules/.package-lock.json', root);

if (!existsSync(list)) fail('The packages are not installed. Run: npm ci');
const installed = packagesIn(list);
const changed = Object.entries(packagesIn(new URL('package-lock.json', root))).some(
  ([path, { version, optional }]) => path !== '' && !optional && installed[path]?.version !== version,
);
if (changed) fail('Packages have changed since they were installed. Run: npm ci');

// Where no package brings one, it is the Node of the system.
const { node } = process.versions;
if (Number.parseInt(node, 10) < 24) {
  fail(`The service needs Node 24 or newer, and this is Node ${node}. Install a newer one, then run: npm ci`);
}

function packagesIn(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
