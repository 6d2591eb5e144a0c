import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { buildSite } from '../../../../infra/openapi/page/build-site.ts';
import { CONTENT_POLICY } from '../../../../lib/http/serve-files.ts';
import { runScript } from '../../../support/processes/run-script.ts';

const parent = mkdtempSync(join(tmpdir(), 'docs-'));
const site = join(parent, 'made/for/it');
beforeAll(() => buildSite(site));
afterAll(() => rmSync(parent, { recursive: true }));

const read = (name: string) => readFileSync(join(site, name), 'utf8');

describe('a written site', () => {
  it('a site has the documents of both languages, also as YAML', () => {
    expect(parse(read('openapi.yaml'))).toEqual(JSON.parse(read('openapi.json')));
    const title = expect.stringMatching(/^Servicio/);
    expect(JSON.parse(read('openapi.es.json'))).toMatchObject({ info: { title } });
    expect(existsSync(join(site, 'events.json'))).toBe(true);
  });

  it.each(['index.html', 'es/index.html'])('the page %s has only relative links, a policy and no referrer', (name) => {
    const text = read(name);
    const links = [...text.matchAll(/(?:src|href)="([^#"][^"]*)"/g)].map(([, link = '']) => link);
    expect(links.filter((link) => /^(\/|\w+:)/.test(link))).toEqual([]);
    expect(links.filter((link) => !existsSync(join(site, name, '..', link.replace(/\?.*/, ''))))).toEqual([]);
    expect(text).toContain(`<meta http-equiv="Content-Security-Policy" content="${CONTENT_POLICY}" />`);
    // The address contains a hash of the script.
    expect(text).toMatch(/ src="[./]*scalar\.js\?\w{16}"/);
    expect(text).toContain('<meta name="referrer" content="no-referrer" />');
    expect(text).toContain('"hideTestRequestButton":true');
  });
});

describe('the folder of a site', () => {
  it('npm run docs writes the site into a folder with any name, but not into one with other files', async () => {
    const docs = (folder: string) => runScript('infra/openapi/page/build-site.ts', [folder], { cwd: parent });
    expect(await docs('site año')).toEqual({ code: 0, stdout: 'Written: site año (open index.html).\n', stderr: '' });
    expect(readdirSync(join(parent, 'site año'))).toContain('index.html');
    const stderr = 'made contains other files: nothing was written. Pass a new or an empty folder.\n';
    expect(await docs('made')).toEqual({ code: 1, stdout: '', stderr });
  });

  it('a site replaces an earlier one, but not another site or a file', () => {
    const index = join(site, 'index.html');
    const text = read('index.html');
    writeFileSync(index, `${text}<!-- changed -->`);
    buildSite(site);
    expect(read('index.html')).toBe(text);
    const other = mkdtempSync(join(parent, 'full-'));
    const file = join(other, 'index.html');
    writeFileSync(file, '<!doctype html>');
    expect(() => buildSite(other)).toThrow('contains other files: nothing was written');
    expect(() => buildSite(file)).toThrow(`The folder ${file} cannot be written: ENOTDIR`);
  });
});
