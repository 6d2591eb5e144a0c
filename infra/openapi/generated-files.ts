import { readFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { type Contact, openApiDocument } from './document.ts';
import type { Exchange } from './examples.ts';
import { httpFile } from './http-file.ts';
import { documentFile, integrationGuide } from './read-document.ts';

/** Where the requests for editors are. */
export const requestsFile = new URL('../../lib/client/examples/portal.http', import.meta.url);

/** A file of this text. */
export interface GeneratedFile {
  readonly file: URL;
  readonly text: string;
}

/** The files that are made of the contracts and of what the service answered. */
export async function generatedFiles(exchanges: readonly Exchange[]): Promise<GeneratedFile[]> {
  const { version, author: contact } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  ) as { version: string; author: Contact };
  const document = openApiDocument(exchanges, { version, contact, description: integrationGuide('en') });
  const style = await resolveConfig(documentFile);
  return [
    { file: documentFile, text: await format(JSON.stringify(document), { ...style, parser: 'json' }) },
    { file: requestsFile, text: httpFile(document) },
  ];
}
