import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { LocalFunction } from '../../../infra/local/local-function.ts';
import { VirtualClock } from '../../../infra/local/virtual-clock.ts';

it('a call of a function whose bundle ends the process fails at once', async () => {
  const codeFolder = mkdtempSync(join(tmpdir(), 'bundle-'));
  onTestFinished(() => rmSync(codeFolder, { recursive: true }));
  writeFileSync(join(codeFolder, 'index.js'), 'process.exit(0);');
  const definition = {
    id: 'Ending',
    name: 'ending',
    codeFolder,
    handler: 'index.handler',
    environment: {},
    memoryMegabytes: 128,
    timeoutSeconds: 20,
  };
  const ending = new LocalFunction(definition, { endpoint: 'http://127.0.0.1:1', clock: new VirtualClock() });
  await expect(ending.invoke({})).rejects.toThrow('The thread of the function ended while the bundle was loaded.');
});
