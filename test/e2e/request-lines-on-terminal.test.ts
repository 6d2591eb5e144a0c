import { describe, expect, it } from 'vitest';
import { startLoggedService } from '../support/service/logged-service.ts';
import { portalRequests, sendRequest } from '../support/service/portal-requests.ts';
import { useStarted } from '../support/setup/use-started.ts';

describe.each([
  { isTerminal: true, options: [] },
  { isTerminal: false, options: ['--log-format', 'text'] },
])('npm start (terminal: $isTerminal) $options', ({ isTerminal, options }) => {
  const service = useStarted(() => startLoggedService({ isTerminal, options }));

  it('npm start prints one line for a request, with the invoice and the user', async () => {
    const parts = await service.newParts();
    const { tenant, userId } = parts.account.reference;
    const names = ['get-invoice', 'legacy-dispatch WSDeclararFactura', 'declare-batch'] as const;
    // With parallel requests, the lines of the functions are buffered.
    const requests = names.flatMap((name) => [1, 2, 3].map(() => portalRequests[name](parts)));
    const responses = await Promise.all(requests.map((request) => sendRequest(service.url, request)));
    for (const { requestId } of responses) {
      const line = await service.waitForTerminalLine(requestId);
      expect(line).toMatch(/^\d\d:\d\d:\d\d (GET|POST) \/\S+ 200 (invoice \d+ )?user \S+ \d+ ms req \S{36}\n$/);
      expect(line).toContain(parts.invoiceId);
      expect(line).toContain(` user ${tenant}/${userId} `);
    }
  });

  it('npm start prints a line for a response of the gateway, but none for the files of a page', async () => {
    await sendRequest(service.url, { method: 'GET', path: '/docs', headers: {} });
    const { requestId } = await sendRequest(service.url, { method: 'GET', path: '/apidev/v1/invoces', headers: {} });
    expect(await service.waitForTerminalLine(requestId)).toMatch(/ GET \/apidev\/v1\/invoces 404 NOT_FOUND /);
    expect(service.output()).not.toContain(' /docs');
  });
});

describe('npm start --log-format json', () => {
  const service = useStarted(() => startLoggedService({ isTerminal: true, options: ['--log-format', 'json'] }));

  it('npm start --log-format json prints the lines of the functions, also on a terminal', async () => {
    const { requestId } = await sendRequest(service.url, portalRequests['get-invoice'](await service.newParts()));
    expect(await service.waitForLogLines(requestId)).toMatchObject([{ message: 'request', status: 200 }]);
  });
});
