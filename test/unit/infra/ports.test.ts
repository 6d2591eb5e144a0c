import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { openEngineDoor } from '../../../infra/local/engine-door.ts';
import { listen, portNumber } from '../../../infra/local/ports.ts';
import { VirtualClock } from '../../../infra/local/virtual-clock.ts';

it.each(['0', '3000', '65535'])('%s is a port', (text) => {
  expect(portNumber('--port', text)).toBe(Number(text));
});

it.each(['', 'x', '-1', '1.5', '65536', '100000'])('%j is no port', (text) => {
  expect(() => portNumber('--port', text)).toThrow('--port takes a number from 0 to 65535.');
});

it('the port of the engine that is taken is named, with the option that chooses another one', async () => {
  const other = createServer();
  const port = await listen(other, 0);
  const door = openEngineDoor(port, new URL('http://127.0.0.1:9'), new VirtualClock());
  const advice = 'Choose another one: npm start -- --dynamodb-port N (0: any free one).';
  await expect(door).rejects.toThrow(
    `Port ${port} on 127.0.0.1 is not free (EADDRINUSE): another npm start may have it. ${advice}`,
  );
  other.close();
});
