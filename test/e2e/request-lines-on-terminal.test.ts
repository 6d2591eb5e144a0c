import { expect, it } from 'vitest';
import { startLoggedService } from '../support/service/logged-service.ts';
import { useStarted } from '../support/setup/use-started.ts';
import {
  portalRequests,
  type RequestName,
  type RequestParts,
  sendRequest,
} from '../support/service/portal-requests.ts';

const service = useStarted(() => startLoggedService({ isTerminal: true }));

const sendAndReadLine = async (name: RequestName, parts: RequestParts) => {
  const { requestId } = await sendRequest(service.url, portalRequests[name](parts));
  return service.waitForTerminalLine(requestId);
};
it('npm start prints one line for a request, without the id in its path', async () => {
  const text = await sendAndReadLine('get-invoice', await service.newParts());
  expect(text).toMatch(/^\d\d:\d\d:\d\d GET \/\S+\/invoices\/\{id\} 200 \d+ ms req \S{36}\n$/);
});

it('npm start prints a line for a response of the gateway, but none for the files of a page', async () => {
  await sendRequest(service.url, { method: 'GET', path: '/docs', headers: {} });
  const { requestId } = await sendRequest(service.url, { method: 'GET', path: '/apidev/v1/invoces', headers: {} });
  expect(await service.waitForTerminalLine(requestId)).toMatch(/ GET \/apidev\/v1\/invoces 404 NOT_FOUND /);
  expect(service.output()).not.toContain(' /docs');
});
