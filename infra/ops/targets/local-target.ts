import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { createEngineDocumentClient } from '../../local/engine-client.ts';
import { CLOCK_HEADER } from '../../local/engine-proxy.ts';
import { LocalFunctions } from '../../local/local-functions.ts';
import { LOCAL_HOST } from '../../local/ports.ts';
import { readStack } from '../../local/read-stack.ts';
import { synthesize, templateFile } from '../../local/synthesize.ts';
import { VirtualClock } from '../../local/virtual-clock.ts';
import { DEMO_ACCOUNT } from '../../openapi/sample-requests.ts';
import { OperatorError } from '../operator-errors.ts';
import type { HostProcess } from '../output/output.ts';
import { createAdminPorts } from '../tables/admin-ports.ts';
import type { Target } from './target.ts';

const DEFAULT_PORT = 8000;

/** Opens the engine of `npm start`, and adopts its clock. Throws an OperatorError if the engine does not respond. */
export async function openLocalTarget(env: HostProcess['env'], port: string | undefined): Promise<Target> {
  // The template contains the names of the tables.
  if (!existsSync(templateFile)) await synthesize({ quiet: true });
  // The option --dynamodb-port has priority over the variable.
  const configuredEndpoint = port === undefined ? env['AWS_ENDPOINT_URL_DYNAMODB'] : undefined;
  const endpoint = configuredEndpoint || `http://${LOCAL_HOST}:${port ?? DEFAULT_PORT}`;
  const clock = await readClock(endpoint);
  if (clock.offsetMs !== 0) clock.install();
  const client = createEngineDocumentClient(endpoint);
  const { tableNames: tables, rotation } = readStack();
  return {
    client,
    tables,
    outputs: null,
    describeTarget: null,
    keepsData: false,
    ports: createAdminPorts({ client, tables, demoPassword: DEMO_ACCOUNT.password }),
    readIdentity: async () => userInfo().username,
    rotateSigningKey: async ({ leaked }) => {
      const functions = new LocalFunctions([rotation], { endpoint, clock, onLine: () => {} });
      try {
        const outcome = await functions.invoke(rotation.id, { rotate: true, leaked });
        if ('failure' in outcome) throw new Error(`The function ${rotation.id} failed.`);
        return outcome.result;
      } finally {
        await functions.close();
      }
    },
  };
}

/** Reads the clock of the engine, which can be ahead. Throws an OperatorError if the engine does not respond. */
async function readClock(endpoint: string): Promise<VirtualClock> {
  const response = await fetch(endpoint).catch(() => {
    const advice = 'Start it with npm start, or correct --dynamodb-port or AWS_ENDPOINT_URL_DYNAMODB.';
    throw new OperatorError(`No engine responds at ${endpoint}. ${advice}`);
  });
  const clock = new VirtualClock();
  clock.advance(Number(response.headers.get(CLOCK_HEADER)));
  return clock;
}
