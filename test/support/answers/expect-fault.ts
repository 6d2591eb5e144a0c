import { expect } from 'vitest';
import type { Answer } from './answer.ts';

/** Expects 400 VALIDATION_ERROR whose details name this property and this constraint, and nothing else. */
export function expectFault({ status, body }: Answer, property: string, constraint: string): void {
  expect(status).toBe(400);
  expect(body.error?.code).toBe('VALIDATION_ERROR');
  expect(body.error?.details).toEqual([{ property, constraints: { [constraint]: expect.stringContaining(property) } }]);
}
