import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { LocalFunctions } from '../../../infra/local/local-functions.ts';
import { VirtualClock } from '../../../infra/local/virtual-clock.ts';

it('a call of a function fails at once if a bundle ends the process', async () => {
  const codeFolder = mkdtempSync(join(tmpdir(), 'bundle-'));
  onTestFinished(() => rmSync(codeFolder, { recursive: true }));
  writeFileSync(join(codeFolder, 'index.js'), 'process.exit(0);');
  const definition = { id: 'Ending', name: 'ending', codeFolder, environment: {}, timeoutSeconds: 20 };
  const functions = new LocalFunctions([definition], { endpoint: 'http://127.0.0.1:1', clock: new VirtualClock() });
  const message = 'The thread of the functions ended while the bundles were loaded.';
  await expect(functions.invoke('Ending', {})).rejects.toThrow(message);
});
