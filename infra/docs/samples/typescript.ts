import { literal, singleQuoted } from './literal.ts';
import type { SampleCall } from './sample-call.ts';

const style = {
  object: ['{ ', ' }'] as const,
  key: (name: string) => `${/^[a-z_]\w*$/i.test(name) ? name : singleQuoted(name)}: `,
  text: (text: string) => singleQuoted(text).replaceAll('\n', String.raw`\n`),
  indent: '  ',
};
const js = (value: unknown, indent?: string) => literal(value, style, indent);

/** What each method of the client is given. */
const clientCalls: Readonly<Record<string, (call: SampleCall) => string>> = {
  login: () => 'portal.login()',
  'list-invoices': ({ path }) => `portal.listInvoices(${js(queryOf(path))})`,
  'get-invoice': ({ path }) => `portal.getInvoice(${js(path.split('/').at(-1))})`,
  'validate-amount': ({ body }) => `portal.validateAmount(${js(body)})`,
  'declare-invoice': ({ body }) => `portal.declareInvoice(${js(body)})`,
  'declare-batch': ({ body }) => `portal.declareBatch(${js((body as { declarations: unknown }).declarations)})`,
};

/** The call with the client for TypeScript, which logs in by itself; the legacy route has none. */
export function typescriptSample(call: SampleCall): string {
  const { baseUrl, account, operationId, method, path, body } = call;
  const clientCall = clientCalls[operationId]?.(call);
  if (clientCall === undefined)
    return `const answer = await fetch(${js(baseUrl + path)}, {
  method: ${js(method)},
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(${js(body, '  ')}),
});
console.log(answer.status, await answer.json());`;

  const { tenant, apiKey, email, password } = account;
  return `import { createPortalClient } from 'supplier-portal-client';

const portal = createPortalClient(${js({ baseUrl, tenant, apiKey, email, password })});

${operationId === 'login' ? `// Every other method logs in by itself.\nawait ${clientCall};` : `console.log(await ${clientCall});`}`;
}

function queryOf(path: string): Record<string, string | number> {
  const parameters = [...new URLSearchParams(path.split('?')[1])];
  return Object.fromEntries(parameters.map(([name, value]) => [name, /^\d+$/.test(value) ? Number(value) : value]));
}
