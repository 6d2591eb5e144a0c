import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { buildSite } from '../../../../infra/openapi/page/build-site.ts';
import { CommandError } from '../../../../infra/terminal.ts';
import { contentPolicy } from '../../../../lib/docs/serve-files.ts';

const parent = mkdtempSync(join(tmpdir(), 'docs-'));
const plain = join(parent, 'made/for/it');
const calling = join(parent, 'calling');
beforeAll(() => {
  buildSite(plain, {});
  buildSite(calling, { baseUrl: 'https://api.example/live/' });
});
afterAll(() => rmSync(parent, { recursive: true }));

const read = (folder: string, name: string) => readFileSync(join(folder, name), 'utf8');

describe('a site', () => {
  it('a site has the documents of both languages, also as YAML', () => {
    expect(parse(read(plain, 'openapi.yaml'))).toEqual(JSON.parse(read(plain, 'openapi.json')));
    const title = expect.stringMatching(/^Servicio/);
    expect(JSON.parse(read(plain, 'openapi.es.json'))).toMatchObject({ info: { title } });
    expect(existsSync(join(plain, 'events.json'))).toBe(true);
  });

  it.each(['index.html', 'es/index.html'])('%s has only relative links, a policy and no referrer', (name) => {
    const text = read(plain, name);
    const links = [...text.matchAll(/(?:src|href)="([^#"][^"]*)"/g)].map(([, link = '']) => link);
    expect(links.filter((link) => /^(\/|\w+:)/.test(link))).toEqual([]);
    expect(links.filter((link) => !existsSync(join(plain, name, '..', link.replace(/\?.*/, ''))))).toEqual([]);
    expect(text).toContain(`<meta http-equiv="Content-Security-Policy" content="${contentPolicy}" />`);
    expect(text).toContain('<meta name="referrer" content="no-referrer" />');
  });

  it('a site with an address calls it, and its policy allows no other address', () => {
    const policy = `${contentPolicy}; connect-src 'self' https://api.example"`;
    for (const part of ['"apiUrl":"https://api.example/live"', '"hideTestRequestButton":false', policy])
      expect(read(calling, 'index.html')).toContain(part);
    const servers = [{ url: 'https://api.example/live' }];
    expect(JSON.parse(read(calling, 'openapi.es.json'))).toMatchObject({ servers });
  });

  it('a site replaces an earlier one, but not if the folder has another file', () => {
    const folder = join(parent, 'again');
    buildSite(folder, { baseUrl: 'https://api.example' });
    buildSite(folder, {});
    expect(read(folder, 'index.html')).not.toContain('https://api.example');
    writeFileSync(join(folder, 'mine.html'), '');
    expect(() => buildSite(folder, {})).toThrow('holds mine.html');
  });
});

describe('a site is refused', () => {
  const refuses = (target: string, message: string, baseUrl?: string) =>
    expect(() => buildSite(target, { baseUrl })).toThrow(new CommandError(message));
  const folderWith = (name: string, text: string) => {
    const folder = mkdtempSync(join(parent, 'full-'));
    writeFileSync(join(folder, name), text);
    return folder;
  };
  const noAddress = 'is no address of the service, such as https://portal.example.';

  it.each([
    ['portal', `portal ${noAddress}`],
    ['', `An empty text ${noAddress}`],
    ['https://a:b@c.example', `https://a:b@c.example ${noAddress}`],
    ['http://a.example', 'http://a.example must begin with https:// (http:// is for this machine alone).'],
    [
      'https://a.example/apidev/v1',
      'https://a.example/apidev/v1 must end in front of /apidev: the page adds the rest of each path itself.',
    ],
  ])('for the address %s', (baseUrl, message) => {
    const folder = join(parent, 'never');
    refuses(folder, message, baseUrl);
    expect(existsSync(folder)).toBe(false);
  });

  it('in a folder with files of others or with another site, and leaves them alone', () => {
    const letters = folderWith('letter.txt', 'Dear');
    refuses(letters, `${letters} holds letter.txt: nothing was written. Name a new or an empty folder.`);
    expect(readdirSync(letters)).toEqual(['letter.txt']);
    const other = folderWith('index.html', '<!doctype html>');
    expect(() => buildSite(other, {})).toThrow('holds another site');
    expect(read(other, 'index.html')).toBe('<!doctype html>');
  });

  it('where the name of the folder is empty, as of a variable that is not set, where a file is, or where no folder can be', () => {
    refuses('', 'The name of the folder is empty: nothing was written.');
    expect(existsSync('index.html')).toBe(false);
    const file = join(folderWith('file', ''), 'file');
    refuses(file, `${file} is a file: name a folder.`);
    expect(() => buildSite(join(file, 'a'), {})).toThrow(`The folder ${join(file, 'a')} cannot be written: ENOTDIR`);
  });
});
