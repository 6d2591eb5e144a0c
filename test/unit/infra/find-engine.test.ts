import { describe, expect, it } from 'vitest';
import { findEngine } from '../../../infra/local/engine.ts';

const nothing = { endpoint: undefined, binary: undefined };
const on = (platform: NodeJS.Platform, arch: NodeJS.Architecture) => ({ ...process, platform, arch });

describe('the engine of a machine', () => {
  it.each([
    ['freebsd', 'x64'],
    ['win32', 'arm64'],
  ] as const)('that is not installed, as on %s with %s, is said in one sentence with what to do', (platform, arch) => {
    expect(() => findEngine(nothing, on(platform, arch))).toThrow(
      `The engine @dynoxide/${platform}-${arch} is not installed: run npm ci with a registry that has it, or set DYNOXIDE_BIN to a binary of dynoxide, or AWS_ENDPOINT_URL_DYNAMODB to an engine that runs.`,
    );
  });

  it('is the one that is set, on every platform', () => {
    for (const set of [
      { ...nothing, endpoint: 'http://127.0.0.1:8000' },
      { ...nothing, binary: '/opt/dynoxide' },
    ])
      expect(findEngine(set, on('freebsd', 'x64'))).toEqual(set);
  });
});
