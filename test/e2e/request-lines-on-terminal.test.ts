import { describe, expect, it } from 'vitest';
import { startLoggedService } from '../support/service/logged-service.ts';
import { useStarted } from '../support/setup/use-started.ts';
import {
  portalRequests,
  type RequestName,
  type RequestParts,
  sendRequest,
} from '../support/service/portal-requests.ts';

const start = (...options: string[]) => startLoggedService({ isTerminal: true, options });

describe('npm start on a terminal', () => {
  const service = useStarted(start);

  const sendAndReadLine = async (name: RequestName, parts: RequestParts) => {
    const { requestId } = await sendRequest(service.url, portalRequests[name](parts));
    return service.waitForTerminalLine(requestId);
  };
  const time = String.raw`\d\d:\d\d:\d\d`;

  it.each([
    ['get-invoice', String.raw`GET /invoices/\{id\}`],
    ['legacy-dispatch WSDeclararFactura', 'POST /legacy/WSDeclararFactura'],
  ] as const)('npm start prints one line for a request: %s', async (name, call) => {
    const text = await sendAndReadLine(name, await service.newParts());
    expect(text).toMatch(new RegExp(String.raw`^${time} ${call} 200 \d+ ms req .{8}…\n$`));
  });

  it('npm start prints a line for a response of the gateway, but none for the files of a page', async () => {
    await sendRequest(service.url, { method: 'GET', path: '/docs', headers: {} });
    const { requestId } = await sendRequest(service.url, { method: 'GET', path: '/apidev/v1/invoces', headers: {} });
    expect(await service.waitForTerminalLine(requestId)).toMatch(/ GET \/invoces 404 NOT_FOUND \d+ ms req .+\n$/);
    expect(service.output()).not.toContain(' /docs');
  });

  it('npm start prints the log lines of the functions with --json-logs', { tags: 'long' }, async () => {
    const jsonService = await start('--json-logs');
    const { requestId } = await sendRequest(jsonService.url, portalRequests.login(await jsonService.newParts()));
    expect(await jsonService.waitForLogLines(requestId)).toMatchObject([{ message: 'request', status: 200 }]);
    expect(jsonService.output()).not.toContain(' req ');
    await jsonService.close();
  });

  it('npm start prints its address, and no line for a request, with --quiet', { tags: 'long' }, async () => {
    const quietService = await start('--quiet');
    const banner = quietService.output();
    expect(banner).toMatch(/^ {2}Address +http.+$/m);
    expect((await sendRequest(quietService.url, portalRequests.login(await quietService.newParts()))).status).toBe(200);
    expect(quietService.output()).toBe(banner);
    await quietService.close();
  });
});
