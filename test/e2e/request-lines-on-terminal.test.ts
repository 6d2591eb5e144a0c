import { expect, it } from 'vitest';
import { startLoggedService } from '../support/service/logged-service.ts';
import { portalRequests, sendRequest } from '../support/service/portal-requests.ts';
import { useStarted } from '../support/setup/use-started.ts';

const service = useStarted(() => startLoggedService({ isTerminal: true }));

it('npm start prints one readable line for a request on a terminal', async () => {
  const { requestId } = await sendRequest(service.url, portalRequests['get-invoice'](await service.newParts()));
  const line = await service.waitForTerminalLine(requestId);
  expect(line).toMatch(/^\d\d:\d\d:\d\d GET \/\S+ 200 \d+ ms req \S{36}\n$/);
  expect(service.output()).not.toContain('"message":"request"');
});

it('npm start prints a line for a response of the gateway, but none for the files of a page', async () => {
  await sendRequest(service.url, { method: 'GET', path: '/docs', headers: {} });
  const { requestId } = await sendRequest(service.url, { method: 'GET', path: '/apidev/v1/invoces', headers: {} });
  expect(await service.waitForTerminalLine(requestId)).toMatch(/ GET \/apidev\/v1\/invoces 404 NOT_FOUND /);
  expect(service.output()).not.toContain(' /docs');
});
