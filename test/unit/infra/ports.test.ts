import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { startEngineProxy } from '../../../infra/local/engine.ts';
import { listen, parsePort } from '../../../infra/local/ports.ts';
import { VirtualClock } from '../../../infra/local/virtual-clock.ts';

it.each(['0', '3000', '65535'])('%s is a port', (text) => {
  expect(parsePort('--port', text)).toBe(Number(text));
});

it.each(['', 'x', '-1', '1.5', '65536', '100000'])('%j is no port', (text) => {
  expect(() => parsePort('--port', text)).toThrow('--port takes a number from 0 to 65535.');
});

it('the port of the engine that is taken is named, with the option that chooses another one', async () => {
  const other = createServer();
  const port = await listen(other, 0);
  const door = startEngineProxy(port, new URL('http://127.0.0.1:9'), new VirtualClock());
  const advice = 'Choose another port: npm start -- --dynamodb-port N (0: any free port).';
  await expect(door).rejects.toThrow(
    `Port ${port} on 127.0.0.1 is not free (EADDRINUSE): another npm start may use it. ${advice}`,
  );
  other.close();
});
