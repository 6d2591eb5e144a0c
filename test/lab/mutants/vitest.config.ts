import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { longTag } from '../../vitest.config.ts';

// The first failure detects a mutant, so the quick tests run first.
const folderOrder = ['test/unit/', 'test/property/', 'test/integration/'];
const getRank = ({ moduleId }: TestSpecification) => folderOrder.findIndex((folder) => moduleId.includes(folder));

class QuickestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => getRank(a) - getRank(b) || a.moduleId.localeCompare(b.moduleId));
  }
}

/** The configuration in Stryker's copy of the repository. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('../../..', import.meta.url)),
    include: ['test/{unit,property}/**/*.test.ts', 'test/integration/{access,endpoints,legacy,tables}/**/*.test.ts'],
    exclude: [
      // These tests reach no code that is changed.
      'test/unit/{client,infra,test}/**',
      'test/unit/{guides,log-messages,paths}.test.ts',
      // These tests need large data or real waiting, and every mutant that survives would run them.
      'test/property/searches-among-writes.test.ts',
      'test/integration/access/{ended-sessions,signing-keys}.test.ts',
      'test/integration/endpoints/{costs,declare-races,list-growth}.test.ts',
    ],
    setupFiles: ['test/lab/mutants/setup.ts', 'test/support/setup/fresh-environment.ts'],
    tags: [{ ...longTag, skip: true }],
    isolate: false,
    sequence: { sequencer: QuickestFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
