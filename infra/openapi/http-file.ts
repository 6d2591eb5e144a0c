import { loginContract } from '../../lib/contracts/login.ts';
import { demoAccount } from '../demo-account.ts';
import type { OpenApiDocument } from './document.ts';
import { type Operation, type Parameter, type PARAMETERS, parameterReference } from './operation.ts';

const VARIABLES = {
  host: 'http://127.0.0.1:3000',
  tenant: demoAccount.tenant,
  apiKey: demoAccount.apiKey,
  email: demoAccount.email,
  password: demoAccount.password,
};

const API_KEY = 'X-API-Key: {{apiKey}}';

const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  token: 'Authorization: Bearer {{token}}',
  apiKey: API_KEY,
};

const TAKE_TOKEN = '> {% client.global.set("token", response.body.data.authorization); %}';

/** A request to every operation of the document, in the format of editors (JetBrains IDEs; VS Code with httpYac). */
export function httpFile({ info, paths }: OpenApiDocument): string {
  const requests = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => requestOf(method.toUpperCase(), path, operation)),
  );
  const variables = Object.entries(VARIABLES).map(([name, value]) => `@${name} = ${value}\n`);
  const origin = 'a request to every operation, made from the OpenAPI document by `npm run openapi`';
  const head = `# ${info.title}: ${origin}.\n`;
  const hint = '# Send the login first: the others take their token from its answer.\n';
  return [`${head}${hint}\n${variables.join('')}`, ...requests].join('\n');
}

function requestOf(method: string, path: string, operation: Operation): string {
  const { operationId, summary, security, parameters, requestBody } = operation;
  const shown = parameters.filter((parameter): parameter is Parameter => 'example' in parameter);
  const takes = (name: keyof typeof PARAMETERS) =>
    parameters.some((each) => '$ref' in each && each.$ref === parameterReference(name).$ref);
  const query = shown.filter((parameter) => parameter.in === 'query').map(queryText);
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name) => String(shown.find((each) => each.name === name)?.example));
  const headers = [
    ...(takes('Tenant') ? ['tenant: {{tenant}}'] : []),
    ...(takes('LoginApiKey') ? [API_KEY] : []),
    ...Object.keys(security[0] ?? {}).map((scheme) => SECURITY_HEADERS[scheme]),
  ];
  const [example] = Object.values(requestBody?.content['application/json'].examples ?? {});
  return [
    `### ${summary}`,
    `# @name ${operationId}`,
    `${method} {{host}}${url}${query.length > 0 ? `?${query.join('&')}` : ''}`,
    ...headers,
    ...(example ? ['Content-Type: application/json', '', withVariables(JSON.stringify(example.value, null, 2))] : []),
    ...(operationId === loginContract.name ? ['', TAKE_TOKEN] : []),
    '',
  ].join('\n');
}

function queryText({ name, example }: Parameter): string {
  return `${name}=${encodeURIComponent(String(example))}`;
}

/** The credentials of a body by the names of their variables. */
function withVariables(body: string): string {
  const { apiKey, email, password } = VARIABLES;
  return Object.entries({ apiKey, email, password }).reduce(
    (text, [name, value]) => text.replaceAll(JSON.stringify(value), `"{{${name}}}"`),
    body,
  );
}
