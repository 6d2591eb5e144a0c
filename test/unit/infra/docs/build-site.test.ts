import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { demoAccount } from '../../../../infra/demo-account.ts';
import { buildSite, SiteError } from '../../../../infra/docs/build-site.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docs-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const read = (name: string) => readFileSync(join(folder, name), 'utf8');

describe('a site', () => {
  it('has both pages, what they load, and the documents', () => {
    buildSite(folder, {});
    const files = ['early.js', 'es', 'icon.svg', 'index.html', 'openapi.es.json', 'openapi.json', 'openapi.yaml'];
    expect(readdirSync(folder).toSorted()).toEqual([...files, 'page.css', 'page.js']);
    expect(parse(read('openapi.yaml'))).toEqual(JSON.parse(read('openapi.json')));
    expect(JSON.parse(read('openapi.es.json'))).toMatchObject({ info: { title: /^Servicio/ } });
  });

  it('has relative links alone, so that any folder of any host serves it', () => {
    buildSite(folder, {});
    for (const name of ['index.html', 'es/index.html']) {
      const links = [...read(name).matchAll(/(?:src|href)="([^"]*)"/g)].map(([, link = '']) => link);
      expect(links.filter((link) => /^(\/|\w+:)/.test(link))).toEqual([]);
      for (const link of links.filter((one) => !one.startsWith('#')))
        expect(existsSync(join(folder, name, '..', link.replace(/\?.*/, ''))), link).toBe(true);
    }
  });

  it('offers nothing to try out without an address, and keeps the servers of the document', () => {
    buildSite(folder, {});
    expect(read('index.html')).not.toContain('class="try');
    expect(read('index.html')).not.toContain('id="credentials"');
    expect(read('index.html')).toContain('https://portal.example/apidev/v1/login');
    expect(read('index.html')).toContain('replace address, tenant, key, e-mail and password by your own');
    expect(JSON.parse(read('openapi.json'))).toHaveProperty('servers[0].url', 'https://{address}');
  });

  it('calls the address that it is given, says what that takes, and may call nothing else', () => {
    buildSite(folder, { baseUrl: 'https://api.example/live/' });
    const page = read('index.html');
    expect(page).toContain('class="try');
    expect(page).toContain('https://api.example/live/apidev/v1/login');
    expect(page).toContain('no CORS headers');
    expect(page).toContain('connect-src &#39;self&#39; https://api.example;');
    expect(JSON.parse(read('openapi.es.json'))).toMatchObject({ servers: [{ url: 'https://api.example/live' }] });
  });

  it('lets no plug-in run, and tells no other address from where its reader comes', () => {
    buildSite(folder, {});
    for (const name of ['index.html', 'es/index.html']) {
      expect(read(name)).toContain("default-src 'self'; object-src 'none';".replaceAll("'", '&#39;'));
      expect(read(name)).toContain('<meta name="referrer" content="no-referrer" />');
    }
  });

  it.each([{}, { baseUrl: 'https://api.example' }])('holds no password of the demo: %j', (options) => {
    buildSite(folder, options);
    const files = readdirSync(folder, { recursive: true })
      .map(String)
      .filter((name) => /\.\w+$/.test(name));
    expect(files.length).toBeGreaterThan(8);
    expect(files.filter((name) => read(name).includes(demoAccount.password))).toEqual([]);
    expect(read('index.html')).toContain('YOUR_PASSWORD');
  });

  it('replaces an earlier one', () => {
    buildSite(folder, { baseUrl: 'https://api.example' });
    buildSite(folder, {});
    expect(read('index.html')).not.toContain('api.example');
  });

  it('makes the folders that it needs', () => {
    buildSite(join(folder, 'a/b'), {});
    expect(read('a/b/es/index.html')).toContain('lang="es"');
  });
});

describe('a site is refused', () => {
  const refusal = (target: string, baseUrl?: string) => {
    try {
      buildSite(target, { baseUrl });
    } catch (error) {
      expect(error).toBeInstanceOf(SiteError);
      return (error as Error).message;
    }
    throw new Error('It was built.');
  };

  it.each([
    ['portal', 'portal is no address of the service, such as https://portal.example.'],
    ['', 'An empty text is no address of the service, such as https://portal.example.'],
    ['https://a.example/?b', 'https://a.example/?b is no address of the service, such as https://portal.example.'],
    ['https://a:b@c.example', 'https://a:b@c.example is no address of the service, such as https://portal.example.'],
    ['http://a.example', 'http://a.example must begin with https:// (http:// is for this machine alone).'],
    [
      'https://a.example/apidev/v1',
      'https://a.example/apidev/v1 must end in front of /apidev: the page adds the rest of each path itself.',
    ],
  ])('for the address %s', (baseUrl, message) => {
    expect(refusal(folder, baseUrl)).toBe(message);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('in a folder with files of others, and leaves them alone', () => {
    writeFileSync(join(folder, 'letter.txt'), 'Dear');
    expect(refusal(folder)).toBe(`${folder} holds letter.txt: nothing was written. Name a new or an empty folder.`);
    expect(readdirSync(folder)).toEqual(['letter.txt']);
  });

  it('where the name of the folder is empty, as of a variable that is not set', () => {
    expect(refusal('')).toBe('The name of the folder is empty: nothing was written.');
    expect(existsSync('index.html')).toBe(false);
  });

  it('in the folder of another site', () => {
    writeFileSync(join(folder, 'index.html'), '<!doctype html>');
    expect(refusal(folder)).toContain('holds another site');
    expect(read('index.html')).toBe('<!doctype html>');
  });

  it('beside a file that was put into an earlier one', () => {
    buildSite(folder, {});
    writeFileSync(join(folder, 'mine.html'), '');
    expect(refusal(folder)).toContain('holds mine.html');
  });

  it('where a file is, or where no folder can be', () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expect(refusal(file)).toBe(`${file} is a file: name a folder.`);
    expect(refusal(join(file, 'a'))).toContain(`The folder ${join(file, 'a')} cannot be written: ENOTDIR`);
    mkdirSync(join(folder, 'docs'));
    buildSite(join(folder, 'docs'), {});
  });
});
