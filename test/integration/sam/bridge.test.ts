import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { findPort } from '../../../infra/local/ports.ts';
import { openBridge } from '../../../infra/sam/bridge.ts';

describe('the bridge for containers', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bridge-'));
    await writeFile(join(folder, 'docker'), '#!/bin/sh\necho "$GATEWAY"\n', { mode: 0o755 });
  });
  afterEach(() => void vi.unstubAllEnvs());

  /** Docker says that its bridge has this address. */
  function dockerSays(address: string): void {
    vi.stubEnv('GATEWAY', address);
    vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`);
  }

  it('listens at the address that Docker gives it', async () => {
    dockerSays('127.0.0.1');
    const bridge = await openBridge(await findPort(0));
    expect(bridge.address).toBe('127.0.0.1');
    await bridge.close();
  });

  // Node lists no 127.0.0.2 either, and only Linux has it.
  it.runIf(process.platform === 'linux')(
    'listens on a bridge without containers, which Node does not list',
    async () => {
      dockerSays('127.0.0.2');
      const bridge = await openBridge(await findPort(0));
      expect(bridge.address).toBe('127.0.0.2');
      await bridge.close();
    },
  );

  it.each(['', '0.0.0.0', '::', '<no value>', 'localhost'])(
    'refuses "%s", which is no address of one network',
    async (address) => {
      dockerSays(address);
      await expect(openBridge(await findPort(0))).rejects.toThrow(
        `Docker gives its bridge the address "${address}". A restart of Docker may help.`,
      );
    },
  );

  it('refuses an address that this machine does not have', async () => {
    dockerSays('198.51.100.1');
    await expect(openBridge(await findPort(0))).rejects.toThrow('does not open on 198.51.100.1');
  });
});
