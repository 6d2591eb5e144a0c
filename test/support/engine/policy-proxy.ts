import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { engineDocumentClient } from '../../../infra/local/engine-client.ts';
import { listen, localHost } from '../../../infra/local/ports.ts';
import type { TestEngine } from './engine.ts';

/** The engine with what it lacks of DynamoDB: policies of tables that deny writes. */
export interface PolicyProxy {
  readonly engine: TestEngine;
  /** The policies by the names of their tables. */
  readonly policies: Map<string, string>;
  /** How many writes a new policy still lets through: it does not spread at once. */
  spread: number;
  close(): Promise<void>;
}

interface Input {
  readonly ResourceArn?: string;
  readonly Policy?: string;
  readonly TableName?: string;
  readonly TransactItems?: readonly Readonly<Record<string, { readonly TableName: string }>>[];
}

const WRITES = ['PutItem', 'UpdateItem', 'DeleteItem'];

/** Starts a proxy in front of an engine. */
export async function startPolicyProxy(engine: TestEngine): Promise<PolicyProxy> {
  const policies = new Map<string, string>();

  function answerTo(operation: string, { ResourceArn = '', Policy = '', ...input }: Input): object | undefined {
    const table = ResourceArn.split('/')[1] ?? '';
    if (operation === 'PutResourcePolicy') policies.set(table, Policy);
    if (operation === 'DeleteResourcePolicy') policies.delete(table);
    if (operation === 'GetResourcePolicy') {
      const found = policies.get(table);
      return found === undefined ? { __type: 'PolicyNotFoundException', message: 'None' } : { Policy: found };
    }
    if (operation.endsWith('ResourcePolicy')) return {};
    const denied = tablesWritten(operation, input).some((name) => policies.get(name)?.includes('"Deny"'));
    if (!denied || proxy.spread-- > 0) return undefined;
    proxy.spread = 0;
    return { __type: 'AccessDeniedException', message: 'Explicit deny in a resource-based policy' };
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET') return void response.end();
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    const body = await text(request);
    const own = answerTo(operation, JSON.parse(body) as Input);
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
    const asked = own ?? (await fetch(engine.endpoint, { method: 'POST', headers: headers as never, body }));
    const status = asked instanceof Response ? asked.status : '__type' in asked ? 400 : 200;
    response
      .writeHead(status, { 'Content-Type': 'application/x-amz-json-1.0' })
      .end(asked instanceof Response ? await asked.text() : JSON.stringify(asked));
  }

  const server = createServer((request, response) => void answer(request, response));
  const endpoint = `http://${localHost}:${await listen(server, 0)}`;
  const client = engineDocumentClient(endpoint);
  const proxy: PolicyProxy = {
    engine: { ...engine, endpoint, client },
    policies,
    spread: 0,
    async close() {
      client.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}

function tablesWritten(operation: string, { TableName, TransactItems = [] }: Input): string[] {
  if (WRITES.includes(operation)) return [TableName ?? ''];
  if (operation !== 'TransactWriteItems') return [];
  return TransactItems.flatMap((item) =>
    Object.entries(item).flatMap(([kind, part]) => (kind === 'ConditionCheck' ? [] : [part.TableName])),
  );
}
