import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

interface Component {
  readonly name: string;
  readonly version: string;
  readonly hashes?: readonly object[];
}

it('npm run sbom lists as CycloneDX what is installed, the dependencies of what is deployed among it, with hashes', async () => {
  const { stdout } = await promisify(execFile)('npm', ['run', '-s', 'sbom'], { cwd: root, maxBuffer: 2 ** 26 });
  const { bomFormat, components } = JSON.parse(stdout) as { bomFormat: string; components: readonly Component[] };
  expect(bomFormat).toBe('CycloneDX');
  const { dependencies } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  for (const [name, version] of [...Object.entries(dependencies), ['@smithy/core', expect.any(String)] as const]) {
    const hashes = [expect.objectContaining({ alg: 'SHA-512' })];
    expect(components).toContainEqual(expect.objectContaining({ name, version, hashes }));
  }
}, 60_000);
