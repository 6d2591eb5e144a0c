import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { expect } from 'vitest';
import { buildSampleRequests, DEMO_ACCOUNT } from '../../../infra/openapi/sample-requests.ts';
import { getEventName } from '../../../infra/local/sam/sam-files.ts';
import { contracts } from '../../../infra/routes.ts';
import { checkLegacyResponse, createResponseCheck } from './answer.ts';

const operations = Object.keys(buildSampleRequests(DEMO_ACCOUNT, 'token'));

/** The names of the sample events. */
export const sampleNames = [...operations.map(getEventName), 'rotate-signing-key'];

/** Checks that the result of a function for its sample event is a success and satisfies its contract. */
export function expectSuccess(name: string, event: object, result: unknown): void {
  if (name === 'rotate-signing-key') {
    expect(result).toEqual({ outcome: 'rotated' });
    return;
  }
  const { requestContext, path } = event as APIGatewayProxyEvent;
  const response = createCheck(name)(result as APIGatewayProxyResult, requestContext.requestId, path);
  const expectedBody = name.startsWith('legacy-dispatch.') ? { Resultado: { Exito: true } } : { success: true };
  expect(response).toMatchObject({ status: 200, body: expectedBody });
}

function createCheck(name: string) {
  if (name.startsWith('legacy-dispatch.')) return checkLegacyResponse;
  const contract = contracts.find((candidate) => candidate.name === name);
  if (contract === undefined) throw new Error(`There is no contract ${name}.`);
  return createResponseCheck(contract);
}
