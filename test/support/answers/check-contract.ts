// A setup file that compares every response that `fetch` gets from the interface with the OpenAPI document.
import { afterEach, expect } from 'vitest';
import { findContractErrors } from './contract-faults.ts';

const send = globalThis.fetch;
const errors: string[] = [];

globalThis.fetch = async (input, init) => {
  const request = new Request(input, init);
  const { pathname, search } = new URL(request.url);
  const response = await send(request);
  if (pathname.startsWith('/apidev/')) {
    errors.push(
      ...findContractErrors({
        method: request.method,
        path: pathname + search,
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: await response.clone().text(),
      }),
    );
  }
  return response;
};

afterEach(() => expect(errors.splice(0), 'responses that the OpenAPI document does not allow').toEqual([]));
