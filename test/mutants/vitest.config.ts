import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { forgetShell } from '../support/setup/own-environment.ts';
import { longTag } from '../vitest.config.ts';

forgetShell();

// A mutant is noticed by the first failure: the quick tests come first.
const order = ['test/unit/', 'test/property/', 'test/integration/'];
const rank = ({ moduleId }: TestSpecification) => order.findIndex((folder) => moduleId.includes(folder));

class QuickestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => rank(a) - rank(b) || a.moduleId.localeCompare(b.moduleId));
  }
}

/**
 * For the copy of the repository in which mutants live: its stack was synthesized before, and is not to be made from a
 * mutant.
 */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../..', import.meta.url)),
    include: ['test/{unit,property}/**/*.test.ts', 'test/integration/{access,endpoints,legacy,storage}/**/*.test.ts'],
    exclude: [
      // These reach nothing that is broken.
      'test/unit/{client,docs,infra,test}/**',
      'test/unit/{guides,paths,shell-blocks}.test.ts',
      // These prove by volume, or by time that passes: each survivor would wait for them.
      'test/property/searches-among-writes.test.ts',
      'test/integration/access/{ended-sessions,signing-keys}.test.ts',
      'test/integration/endpoints/{capacity,declare-races,list-cost}.test.ts',
      'test/integration/legacy/parity.test.ts',
    ],
    setupFiles: ['test/mutants/setup.ts', 'test/support/setup/fresh-environment.ts'],
    tags: [{ ...longTag, skip: true }],
    isolate: false,
    sequence: { sequencer: QuickestFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
