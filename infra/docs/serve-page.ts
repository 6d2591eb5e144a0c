import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { extname } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { fileHeaders, mediaTypes } from '../../lib/docs/file-headers.ts';
import type { DemoAccount } from '../demo-account.ts';
import { siteFiles } from './site-files.ts';

/** A file of the page, as it is served. */
export interface PageFile {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** Answers a request with these headers. */
type Page = (headers?: IncomingHttpHeaders) => PageFile;

const commonHeaders = { ...fileHeaders, Vary: 'Accept-Encoding' };

/** The address that stands in the samples until the page puts its own in its place. */
const sampleUrl = 'http://127.0.0.1:3000';

/**
 * The interface for people and for tools, by path; the page fills in the credentials of the demo account, if there is
 * one.
 */
export function docsPages(demo: DemoAccount | undefined): Readonly<Record<string, Page>> {
  // Calls made from the page go to the service that serves it.
  const files = siteFiles({ sampleUrl, settings: { baseUrl: '', demo }, servers: [{ url: '/' }] });
  const pages = Object.fromEntries(Object.entries(files).map(([name, make]) => [name, page(name, make)]));
  const inFolder = Object.entries(pages).map(([name, served]): [string, Page] => [`/docs/${name}`, served]);
  const documents = inFolder.filter(([path]) => path.startsWith('/docs/openapi.'));
  return {
    ...Object.fromEntries(inFolder),
    ...Object.fromEntries(documents.map(([path, served]) => [path.slice('/docs'.length), served])),
    '/docs/': pages['index.html']!,
    '/docs/es/': pages['es/index.html']!,
    '/docs': () => redirect('/docs/'),
    '/docs/es': () => redirect('/docs/es/'),
  };
}

interface Encoded {
  readonly identity: Buffer;
  readonly gzip: Buffer;
  readonly br: Buffer;
  readonly etag: string;
}

/** A file that is made and compressed with the first request for it. */
function page(name: string, make: () => string): Page {
  let made: Encoded | undefined;
  return (headers = {}) => {
    const file = (made ??= encode(make()));
    const encoding = encodingFor(headers['accept-encoding']);
    // What is compressed in another way is another body, so it has another tag.
    const etag = `"${file.etag}-${encoding}"`;
    const answer = { ...commonHeaders, 'Content-Type': mediaTypes[extname(name)]!, ETag: etag };
    if (headers['if-none-match']?.split(/\s*,\s*/).includes(etag)) return { status: 304, headers: answer, body: '' };
    const encoded = encoding === 'identity' ? answer : { ...answer, 'Content-Encoding': encoding };
    return { status: 200, headers: encoded, body: file[encoding] };
  };
}

function encode(text: string): Encoded {
  const identity = Buffer.from(text);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 6 };
  return {
    identity,
    gzip: gzipSync(identity),
    br: brotliCompressSync(identity, { params }),
    etag: createHash('sha256').update(identity).digest('base64url').slice(0, 22),
  };
}

function encodingFor(accepted: string | string[] | undefined): 'br' | 'gzip' | 'identity' {
  const names = String(accepted ?? '')
    .split(',')
    .filter((choice) => !/;\s*q=0(\.0*)?\s*$/.test(choice))
    .map((choice) => choice.split(';')[0]?.trim().toLowerCase());
  if (names.includes('br')) return 'br';
  return names.includes('gzip') ? 'gzip' : 'identity';
}

function redirect(location: string): PageFile {
  return { status: 302, headers: { ...commonHeaders, Location: location }, body: '' };
}
