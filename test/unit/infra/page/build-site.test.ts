import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { buildSite } from '../../../../infra/openapi/page/build-site.ts';
import { REFERENCE_POLICY } from '../../../../lib/http/serve-files.ts';
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
    expect(text).toContain(`<meta http-equiv="Content-Security-Policy" content="${REFERENCE_POLICY}" />`);
    // The address contains a hash of the script.
    expect(text).toMatch(/ src="[./]*scalar\.js\?\w{16}"/);
    expect(text).toContain('<meta name="referrer" content="no-referrer" />');
    expect(text).toContain('"hideTestRequestButton":true');
  });
});

it('npm run docs prints the folder of the site', async () => {
  const written = { code: 0, stdout: 'Written: cdk.out/docs (open index.html).\n', stderr: '' };
  expect(await runScript('infra/openapi/page/build-site.ts', [], { cwd: parent })).toEqual(written);
  expect(readdirSync(join(parent, 'cdk.out/docs'))).toContain('index.html');
});
