/** From now on, every answer that `fetch` gets from the interface is held against the OpenAPI document. */
import { contractFaults } from './contract-faults.ts';

const send = globalThis.fetch;
const faults: string[] = [];

globalThis.fetch = async (input, init) => {
  const request = new Request(input, init);
  const { pathname, search } = new URL(request.url);
  const response = await send(request);
  if (pathname.startsWith('/apidev/')) {
    faults.push(
      ...contractFaults({
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

/** The faults of the answers since this was last asked. */
export function takeFaults(): string[] {
  return faults.splice(0);
}
