import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { buildSite } from '../../../../infra/openapi/page/build-site.ts';
import { CommandError } from '../../../../infra/process/terminal.ts';
import { CONTENT_POLICY } from '../../../../lib/http/serve-files.ts';
import { runScript } from '../../../support/processes/run-script.ts';

const parent = mkdtempSync(join(tmpdir(), 'docs-'));
const plain = join(parent, 'made/for/it');
const siteWithApi = join(parent, 'calling');
beforeAll(() => {
  buildSite(plain);
  buildSite(siteWithApi, 'https://api.example/live/');
});
afterAll(() => rmSync(parent, { recursive: true }));

const read = (folder: string, name: string) => readFileSync(join(folder, name), 'utf8');

describe('written sites', () => {
  it('a site has the documents of both languages, also as YAML', () => {
    expect(parse(read(plain, 'openapi.yaml'))).toEqual(JSON.parse(read(plain, 'openapi.json')));
    const title = expect.stringMatching(/^Servicio/);
    expect(JSON.parse(read(plain, 'openapi.es.json'))).toMatchObject({ info: { title } });
    expect(existsSync(join(plain, 'events.json'))).toBe(true);
  });

  it.each(['index.html', 'es/index.html'])('the page %s has only relative links, a policy and no referrer', (name) => {
    const text = read(plain, name);
    const links = [...text.matchAll(/(?:src|href)="([^#"][^"]*)"/g)].map(([, link = '']) => link);
    expect(links.filter((link) => /^(\/|\w+:)/.test(link))).toEqual([]);
    expect(links.filter((link) => !existsSync(join(plain, name, '..', link.replace(/\?.*/, ''))))).toEqual([]);
    expect(text).toContain(`<meta http-equiv="Content-Security-Policy" content="${CONTENT_POLICY}" />`);
    // The address contains a hash of the script.
    expect(text).toMatch(/ src="[./]*scalar\.js\?\w{16}"/);
    expect(text).toContain('<meta name="referrer" content="no-referrer" />');
  });

  it('a site with an API address sends requests to it, and its policy allows no other address', () => {
    const policy = `${CONTENT_POLICY}; connect-src 'self' https://api.example"`;
    for (const part of ['"apiUrl":"https://api.example/live"', '"hideTestRequestButton":false', policy])
      expect(read(siteWithApi, 'index.html')).toContain(part);
    expect(read(plain, 'index.html')).toContain('"hideTestRequestButton":true');
    const servers = [{ url: 'https://api.example/live' }];
    expect(JSON.parse(read(siteWithApi, 'openapi.es.json'))).toMatchObject({ servers });
  });

  it('a site replaces an earlier one, but not if the folder has another file or another site', () => {
    const folder = join(parent, 'again');
    buildSite(folder, 'https://api.example');
    buildSite(folder);
    expect(read(folder, 'index.html')).not.toContain('https://api.example');
    writeFileSync(join(folder, 'mine.html'), '');
    expect(() => buildSite(folder)).toThrow('contains mine.html');
    const other = mkdtempSync(join(parent, 'full-'));
    writeFileSync(join(other, 'index.html'), '<!doctype html>');
    expect(() => buildSite(other)).toThrow('contains another site');
  });
});

describe('rejected folders and addresses', () => {
  it('npm run docs writes the site into a folder with any name, but not into one with other files', async () => {
    const docs = (folder: string) => runScript('infra/openapi/page/build-site.ts', [folder], { cwd: parent });
    expect(await docs('site año')).toEqual({ code: 0, stdout: 'Written: site año (open index.html).\n', stderr: '' });
    expect(readdirSync(join(parent, 'site año'))).toContain('index.html');
    const stderr = expect.stringMatching(/^made contains .+: nothing was written\. Pass a new or an empty folder\.\n$/);
    expect(await docs('made')).toEqual({ code: 1, stdout: '', stderr });
  });

  it.each(['portal', '', 'https://a:b@c.example', 'http://a.example', 'https://a.example/apidev/v1'])(
    'a site is not written for the address %j',
    (baseUrl) => {
      const folder = join(parent, 'never');
      expect(() => buildSite(folder, baseUrl)).toThrow(/^--base-url takes an https:\/\/ address .+, not \S+\. Only /);
      expect(existsSync(folder)).toBe(false);
    },
  );

  it('a site is not written if the name of the folder is empty, or if the folder is a file', () => {
    expect(() => buildSite('')).toThrow(new CommandError('The name of the folder is empty: nothing was written.'));
    expect(existsSync('index.html')).toBe(false);
    const file = join(parent, 'file');
    writeFileSync(file, '');
    expect(() => buildSite(file)).toThrow(new CommandError(`${file} is a file. Pass the name of a folder.`));
  });
});
