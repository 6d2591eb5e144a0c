import { readFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { clientData } from './client-data.ts';
import { documentFiles } from './document-file.ts';
import { type Contact, openApiDocument } from './document.ts';
import type { Exchange } from './exchange.ts';
import type { Language } from '../../lib/domain/language.ts';
import { httpFile } from './http-file.ts';
import { integrationGuide } from './integration-guide.ts';
import { inSpanish } from './spanish/in-spanish.ts';

/** Where the requests for editors are. */
export const requestsFile = new URL('../../lib/client/examples/portal.http', import.meta.url);

/** Where the client's types of what is sent and answered are. */
export const clientDataFile = new URL('../../lib/client/portal-data.ts', import.meta.url);

/** A file of this text. */
export interface GeneratedFile {
  readonly file: URL;
  readonly text: string;
}

/** The files that are made of the contracts and of what the service answered in each language. */
export async function generatedFiles(
  exchanges: Readonly<Record<Language, readonly Exchange[]>>,
): Promise<GeneratedFile[]> {
  const { version, author: contact } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  ) as {
    version: string;
    author: Contact;
  };
  const document = openApiDocument(exchanges.en, { version, contact, description: integrationGuide('en') });
  const withSpanishAnswers = openApiDocument(exchanges.es, { version, contact, description: '' });
  const style = await resolveConfig(documentFiles.en);
  const json = (value: object) => format(JSON.stringify(value), { ...style, parser: 'json' });
  return [
    { file: documentFiles.en, text: await json(document) },
    { file: documentFiles.es, text: await json(inSpanish(withSpanishAnswers, integrationGuide('es'))) },
    { file: requestsFile, text: httpFile(document) },
    { file: clientDataFile, text: await format(clientData(), { ...style, parser: 'typescript' }) },
  ];
}
