import { format, resolveConfig } from 'prettier';
import { loginContract } from '../../lib/contracts/login.ts';
import { buildSampleRequests, DEMO_ACCOUNT, type SampleRequest } from './sample-requests.ts';
import { buildEventsDocument, buildOpenApiDocument, type Exchanges, type OpenApiDocument } from './document.ts';
import { DOCUMENT_FILES, EVENTS_FILE, readGuideWithoutTitle } from './published-documents.ts';

/** The .http file, from which code editors send requests. */
export const REQUESTS_FILE = new URL('../../lib/client/examples/portal.http', import.meta.url);

export interface GeneratedFile {
  readonly file: URL;
  readonly text: string;
}

/** A script with which code editors store the token of a login for the other requests. */
const KEEP_TOKEN_SCRIPT = '> {% client.global.set("token", response.body.data.authorization); %}';

/**
 * Generates the OpenAPI documents, the .http file and the schemas of events from the contracts and the recorded
 * responses.
 */
export async function generateFiles(exchanges: Exchanges): Promise<GeneratedFile[]> {
  // All files of the repository have the same configuration of Prettier.
  const prettierConfig = await resolveConfig(DOCUMENT_FILES.en);
  const formatJson = (document: object) => format(JSON.stringify(document), { ...prettierConfig, parser: 'json' });
  const guide = { en: readGuideWithoutTitle('en'), es: readGuideWithoutTitle('es') };
  const english = buildOpenApiDocument(exchanges.en, guide, 'en');
  const spanish = buildOpenApiDocument(exchanges.es, guide, 'es');
  return [
    { file: DOCUMENT_FILES.en, text: await formatJson(english) },
    { file: DOCUMENT_FILES.es, text: await formatJson(spanish) },
    { file: REQUESTS_FILE, text: generateRequests(english) },
    { file: EVENTS_FILE, text: await formatJson(buildEventsDocument()) },
  ];
}

/** Generates the .http file with a request to every operation (for JetBrains IDEs, and for VS Code with httpYac). */
function generateRequests({ info, paths }: OpenApiDocument): string {
  const account = { tenant: '{{tenant}}', apiKey: '{{apiKey}}', email: '{{email}}', password: '{{password}}' };
  const requests = buildSampleRequests(account, '{{token}}');
  const variables = Object.entries({ host: 'http://127.0.0.1:3000', ...DEMO_ACCOUNT });
  const lines = [
    `# ${info.title}: a request to every operation, generated from the OpenAPI document by \`npm run openapi\`.`,
    '# Send the login first: the other requests use the token of its response.',
    '',
    ...variables.map(([name, value]) => `@${name} = ${value}`),
  ];
  for (const { operationId, summary } of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    lines.push('', `### ${summary}`, `# @name ${operationId}`, ...formatRequest(requests[operationId]!));
    if (operationId === loginContract.name) lines.push('', KEEP_TOKEN_SCRIPT);
  }
  return `${lines.join('\n')}\n`;
}

function formatRequest({ method, path, headers, body }: SampleRequest): string[] {
  const lines = [`${method} {{host}}${path}`];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (body !== undefined) lines.push('', JSON.stringify(JSON.parse(body), null, 2));
  return lines;
}
