/**
 * Ends with a line if the packages are missing or outdated, or if Node is too old. It is plain JavaScript for old
 * versions of Node, because the packages may not be installed yet.
 */
import { existsSync, readFileSync } from 'node:fs';

const root = new URL('../../', import.meta.url);
const list = new URL('node_modules/.package-lock.json', root);

if (!existsSync(list)) fail('The packages are not installed. Run: npm ci');
const installed = readPackages(list);
const changed = Object.entries(readPackages(new URL('package-lock.json', root))).some(
  ([path, { version, optional }]) => path !== '' && !optional && installed[path]?.version !== version,
);
if (changed) fail('The packages have changed since they were installed. Run: npm ci');

// If no package provides Node, it is the Node of the system.
const { node } = process.versions;
if (Number.parseInt(node, 10) < 24) {
  fail(`The service needs Node 24 or newer, but this is Node ${node}. Install a newer version, then run: npm ci`);
}

function readPackages(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
