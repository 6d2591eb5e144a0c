import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { expect } from 'vitest';
import { demoAccount } from '../../../infra/openapi/sample-requests.ts';
import { buildEventRequests } from '../../../infra/local/sam/sam-files.ts';
import { contracts } from '../../../infra/routes.ts';
import { answerCheck } from './answer.ts';
import { legacyAnswerCheck } from '../legacy/legacy-answer.ts';

/** The names of the sample events. */
export const sampleNames = [...Object.keys(buildEventRequests(demoAccount, 'token')), 'rotate-signing-key'];

/** Checks that what a function gave for its sample event is a success, and all that its contract says. */
export function expectSuccess(name: string, event: object, result: unknown): void {
  if (name === 'rotate-signing-key') {
    expect(result).toEqual({ outcome: 'rotated' });
    return;
  }
  const { requestContext, path } = event as APIGatewayProxyEvent;
  const answer = checkOf(name)(result as APIGatewayProxyResult, requestContext.requestId, path);
  const isSuccess = name.startsWith('legacy-dispatch.') ? { Resultado: { Exito: true } } : { success: true };
  expect(answer).toMatchObject({ status: 200, body: isSuccess });
}

function checkOf(name: string) {
  if (name.startsWith('legacy-dispatch.')) return legacyAnswerCheck;
  const contract = contracts.find((candidate) => candidate.name === name);
  if (contract === undefined) throw new Error(`There is no contract of ${name}.`);
  return answerCheck(contract);
}
