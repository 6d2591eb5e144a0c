import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'clone-'));
afterAll(() => rmSync(folder, { recursive: true }));

const save = (path: string, packages: object) => writeFileSync(join(folder, path), JSON.stringify({ packages }));
mkdirSync(join(folder, 'infra'));
cpSync(fileURLToPath(new URL('../../../infra/installed.js', import.meta.url)), join(folder, 'infra/installed.js'));
writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
writeFileSync(join(folder, 'script.js'), "console.log('done');");
const wanted = {
  '': { version: '1.0.0' },
  'node_modules/a': { version: '2.0.0' },
  'node_modules/b': { version: '1.0.0', optional: true },
};
save('package-lock.json', wanted);

const run = (...options: string[]) => {
  const words = [...options, '--import', './infra/installed.js', 'script.js'];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8' });
  return { status, stdout, stderr };
};
const runOn = (node: string) => {
  const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${node}' } })`;
  return run('--import', `data:text/javascript,${encodeURIComponent(pretend)}`);
};

describe('npm start', () => {
  it('before npm ci says in one line what to run', () => {
    expect(run()).toEqual({ status: 1, stdout: '', stderr: 'The packages are not installed. Run: npm ci\n' });
  });

  it('with packages of another state of the repository says so', () => {
    mkdirSync(join(folder, 'node_modules'));
    const words = 'Packages have changed since they were installed. Run: npm ci\n';
    for (const installed of [{}, { 'node_modules/a': { version: '1.9.0' } }]) {
      save('node_modules/.package-lock.json', installed);
      expect(run()).toEqual({ status: 1, stdout: '', stderr: words });
    }
  });

  it('goes on with the packages that it needs, and without those that other machines need', () => {
    save('node_modules/.package-lock.json', { 'node_modules/a': { version: '2.0.0' } });
    expect(run()).toEqual({ status: 0, stdout: 'done\n', stderr: '' });
  });

  it.each(['18.20.8', '20.20.2', '23.11.1'])('on Node %s says in one line which it needs', (node) => {
    const words = `The service needs Node 24 or newer, and this is Node ${node}. Install a newer one, then run: npm ci\n`;
    expect(runOn(node)).toEqual({ status: 1, stdout: '', stderr: words });
  });

  it.each(['24.0.0', '26.1.0', '100.0.0'])('goes on with Node %s', (node) => {
    expect(runOn(node)).toMatchObject({ status: 0, stdout: 'done\n' });
  });
});
