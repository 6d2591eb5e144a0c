import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Server } from 'node:http';
import { createGateway } from '../../infra/local/gateway.ts';
import { listen, localHost } from '../../infra/local/ports.ts';
import { readStack } from '../../infra/local/read-stack.ts';
import { VirtualClock } from '../../infra/local/virtual-clock.ts';

let gateway: Server;
let url: string;
beforeAll(async () => {
  const fail = () => {
    throw new Error('This page cannot be created.');
  };
  const pages = { 'GET /broken': fail };
  gateway = createGateway({ stack: readStack(), functionOf: fail, clock: new VirtualClock(), pages });
  url = `http://${localHost}:${await listen(gateway, 0)}`;
});
afterAll(() => void gateway.close());

it('a path with a malformed escape gets the response 400 of the template', async () => {
  const response = await fetch(`${url}/%zz`);
  const message = 'The request is malformed.';
  const details = [{ property: 'request', constraints: { wellFormed: message } }];
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({ success: false, error: { code: 'VALIDATION_ERROR', message, details } });
});

it('a page that throws gets the response 500, its reason is only printed, and the gateway continues', async () => {
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  for (let time = 0; time < 2; time++) {
    const response = await fetch(`${url}/broken`);
    const body = await response.text();
    expect(response.status).toBe(500);
    expect(JSON.parse(body)).toMatchObject({ success: false, error: { code: 'INTERNAL_ERROR' } });
    expect(body).not.toContain('cannot be created');
  }
  expect(stderr.mock.calls.join('')).toContain('This page cannot be created.');
  stderr.mockRestore();
});
