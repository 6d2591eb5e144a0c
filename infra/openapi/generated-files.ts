import { readFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { loginContract } from '../../lib/contracts/login.ts';
import { LANGUAGES } from '../../lib/domain/language.ts';
import { demoAccount, type SampleRequest, buildSampleRequests } from './sample-requests.ts';
import { buildEventsDocument, type Exchanges, type OpenApiDocument, buildOpenApiDocument } from './document.ts';
import { documentFiles, eventsFile, readGuidesWithLimits, readIntegrationGuide } from './published-documents.ts';

/** The file with the requests for editors. */
export const requestsFile = new URL('../../lib/client/examples/portal.http', import.meta.url);

/** A generated file with its text. */
export type GeneratedFile = Awaited<ReturnType<typeof generateFiles>>[number];

/** Generates the files from the contracts and the recorded responses. */
export async function generateFiles(exchanges: Exchanges) {
  const packageText = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { version, author: contact } = JSON.parse(packageText) as { version: string; author: object };
  const texts = { version, contact, description: { en: readIntegrationGuide('en'), es: readIntegrationGuide('es') } };
  const documents = LANGUAGES.map((language) => {
    return { file: documentFiles[language], document: buildOpenApiDocument(exchanges[language], texts, language) };
  });
  const style = await resolveConfig(documentFiles.en);
  const toText = (document: object) => format(JSON.stringify(document), { ...style, parser: 'json' });
  return [
    ...(await Promise.all(documents.map(async ({ file, document }) => ({ file, text: await toText(document) })))),
    { file: requestsFile, text: httpFile(documents[0]!.document) },
    ...readGuidesWithLimits(),
    { file: eventsFile, text: await toText(buildEventsDocument()) },
  ];
}

const TAKE_TOKEN = '> {% client.global.set("token", response.body.data.authorization); %}';

/** Builds a request to every operation of the document for editors (JetBrains IDEs; VS Code with httpYac). */
function httpFile({ info, paths }: OpenApiDocument): string {
  const account = { tenant: '{{tenant}}', apiKey: '{{apiKey}}', email: '{{email}}', password: '{{password}}' };
  const requests: Readonly<Record<string, SampleRequest>> = buildSampleRequests(account, '{{token}}');
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
