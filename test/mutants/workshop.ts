import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { rulesIn } from '../rules/list-cases.ts';
import { type Mutant, mutate } from './mutant.ts';

/** A copy of the repository in which mutants are tested, one at a time. */
export interface Workshop {
  /** The rules whose tests fail as the code is, of the tests that `pattern` finds in `files`. */
  failedRules(files: readonly string[], pattern: string): Promise<string[]>;
  /** The same, while a mutant stands in the place of the code. */
  failedRulesOf(mutant: Mutant, files: readonly string[], pattern: string): Promise<string[]>;
  close(): void;
}

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly status: string; readonly title: string }[];
  }[];
}

/**
 * Copies the repository, uncommitted changes included, into a directory of its own, and synthesizes the stack there.
 */
export async function openWorkshop(root: string): Promise<Workshop> {
  const copy = mkdtempSync(join(tmpdir(), 'mutants-'));
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: root });
  for (const file of listed.toString().split('\0')) {
    // What was deleted and not yet committed is still listed.
    if (file !== '' && existsSync(join(root, file))) cpSync(join(root, file), join(copy, file));
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));

  const run = (args: readonly string[]) =>
    promisify(execFile)(process.execPath, args, { cwd: copy, maxBuffer: 2 ** 26 });
  const { synthesize } = (await import(pathToFileURL(join(copy, 'infra/local/synthesize.ts')).href)) as {
    synthesize: (options: { quiet: boolean }) => Promise<void>;
  };
  await synthesize({ quiet: true });

  async function write(file: string, source: string): Promise<void> {
    writeFileSync(join(copy, file), source);
    if (file.startsWith('lib/contracts/')) await run(['infra/generate-validators.ts']);
  }

  async function failedRules(files: readonly string[], pattern: string): Promise<string[]> {
    const outputFile = join(copy, 'report.json');
    rmSync(outputFile, { force: true });
    const command = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/mutants/vitest.config.ts'];
    const options = ['--reporter', 'json', '--outputFile', outputFile, '--testNamePattern', pattern];
    // It exits with 1 when tests fail, which is what is hoped for.
    await run([...command, ...options, ...files]).catch(() => undefined);
    const { testResults } = JSON.parse(readFileSync(outputFile, 'utf8')) as Report;
    const failed = testResults.flatMap((file) => file.assertionResults).filter(({ status }) => status === 'failed');
    return [...new Set(failed.flatMap(({ title }) => rulesIn(title)))];
  }

  return {
    failedRules,

    async failedRulesOf(mutant, files, pattern) {
      const { source, mutated } = mutate(copy, mutant);
      await write(mutant[1], mutated);
      try {
        return await failedRules(files, pattern);
      } finally {
        await write(mutant[1], source);
      }
    },
    close: () => rmSync(copy, { recursive: true }),
  };
}
