import { readFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { loginContract } from '../../lib/contracts/login.ts';
import { demoAccount } from '../demo-account.ts';
import { currentRequests, legacyRequests, type SampleRequest } from '../demo-requests.ts';
import { type OpenApiDocument, openApiDocument } from './document.ts';
import { eventsDocument, eventsFile } from './events-document.ts';
import type { Exchange } from './examples.ts';
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
  ) as { version: string; author: object };
  const document = openApiDocument(exchanges, { version, contact, description: integrationGuide('en') });
  const style = await resolveConfig(documentFile);
  return [
    { file: documentFile, text: await format(JSON.stringify(document), { ...style, parser: 'json' }) },
    { file: requestsFile, text: httpFile(document) },
    { file: eventsFile, text: await format(JSON.stringify(eventsDocument()), { ...style, parser: 'json' }) },
  ];
}

const TAKE_TOKEN = '> {% client.global.set("token", response.body.data.authorization); %}';

/** A request to every operation of the document, in the format of editors (JetBrains IDEs; VS Code with httpYac). */
function httpFile({ info, paths }: OpenApiDocument): string {
  const account = { tenant: '{{tenant}}', apiKey: '{{apiKey}}', email: '{{email}}', password: '{{password}}' };
  const requests: Readonly<Record<string, SampleRequest>> = {
    ...currentRequests(account, '{{token}}'),
    ...legacyRequests(account),
  };
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const variables = Object.entries({ host: 'http://127.0.0.1:3000', ...demoAccount });
  return `# ${info.title}: a request to every operation, made from the OpenAPI document by \`npm run openapi\`.
# Send the login first: the others take their token from its answer.

${variables.map(([name, value]) => `@${name} = ${value}\n`).join('')}
${operations.map(({ operationId, summary }) => requestText(operationId, summary, requests[operationId]!)).join('\n')}`;
}

function requestText(operationId: string, summary: string, { method, path, headers, body }: SampleRequest): string {
  return [
    `### ${summary}`,
    `# @name ${operationId}`,
    `${method} {{host}}${path}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : ['', JSON.stringify(JSON.parse(body), null, 2)]),
    ...(operationId === loginContract.name ? ['', TAKE_TOKEN] : []),
    '',
  ].join('\n');
}
