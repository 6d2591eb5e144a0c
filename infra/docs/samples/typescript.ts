import { type LiteralStyle, literal, singleQuoted } from './literal.ts';
import { addressOf, type SampleCall } from './sample-call.ts';

const style: LiteralStyle = {
  object: ['{', '}'],
  key: (name) => `${/^[a-z_]\w*$/i.test(name) ? name : singleQuoted(name)}: `,
  text: (text) => singleQuoted(text).replaceAll('\n', String.raw`\n`),
  words: { true: 'true', false: 'false', null: 'null' },
  padding: ' ',
  indent: '  ',
};
const js = (value: unknown, indent?: string) => literal(value, style, indent);

/** What each method of the client is given. */
const clientCalls: Readonly<Record<string, (call: SampleCall) => string>> = {
  login: () => 'login()',
  'list-invoices': ({ query }) => `listInvoices(${js(query)})`,
  'get-invoice': ({ path }) => `getInvoice(${js(decodeURIComponent(path.slice(path.lastIndexOf('/') + 1)))})`,
  'validate-amount': ({ body }) => `validateAmount(${js(body)})`,
  'declare-invoice': ({ body }) => `declareInvoice(${js(body)})`,
  'declare-batch': ({ body }) => `declareBatch(${js((body as { declarations: unknown }).declarations)})`,
};

/** The call with the client for TypeScript, which logs in by itself; the legacy route has none. */
export function typescriptSample(call: SampleCall): string {
  const clientCall = clientCalls[call.operationId];
  return clientCall === undefined ? fetchSample(call) : clientSample(call, clientCall(call));
}

function clientSample({ baseUrl, account, operationId }: SampleCall, method: string): string {
  const { tenant, apiKey, email, password } = account;
  return [
    "import { createPortalClient } from 'supplier-portal-client';",
    '',
    `const portal = createPortalClient(${js({ baseUrl, tenant, apiKey, email, password })});`,
    '',
    ...(operationId === 'login'
      ? ['// Every other method logs in by itself.', `await portal.${method};`]
      : [`console.log(await portal.${method});`]),
  ].join('\n');
}

function fetchSample(call: SampleCall): string {
  return [
    `const answer = await fetch(${js(addressOf(call))}, {`,
    `  method: ${js(call.method)},`,
    "  headers: { 'Content-Type': 'application/json' },",
    `  body: JSON.stringify(${js(call.body, '  ')}),`,
    '});',
    'console.log(answer.status, await answer.json());',
  ].join('\n');
}
