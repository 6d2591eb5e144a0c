import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOptions } from '../../infra/command-line.ts';
import { createApp } from '../../infra/stack.ts';
import { everyOption } from '../support/stack/stack-variants.ts';

readOptions(`Usage: npm run test:extra -- templates

Checks the templates of both stages with cfn-lint (pip install cfn-lint); without it, it ends with 3.
More: test/README.md`);

// CDK writes down dependencies that references imply already.
const ignored = ['W3005'];
const notInstalled = 3;
const variants = {
  dev: { stage: 'dev' },
  prod: { stage: 'prod' },
  'prod with every option': { stage: 'prod', ...everyOption },
};

const directory = mkdtempSync(join(tmpdir(), 'templates-'));
try {
  const templates = Object.entries(variants).map(([name, options]) => synthesize(join(directory, name), options));
  const { error, status } = spawnSync('cfn-lint', ['--ignore-checks', ...ignored, '--', ...templates], {
    stdio: 'inherit',
  });
  if (error) console.error('The templates were not checked: cfn-lint is not installed (pip install cfn-lint).');
  else if (status === 0) console.log(`cfn-lint finds nothing in ${Object.keys(variants).join(', ')}.`);
  process.exitCode = error ? notInstalled : (status ?? 1);
} finally {
  rmSync(directory, { recursive: true });
}

/** Without bundles, of which a template shows nothing. */
function synthesize(outdir: string, options: Readonly<Record<string, string>>): string {
  const [stack] = createApp({ outdir, context: { 'aws:cdk:bundling-stacks': [], ...options } }).synth().stacks;
  return stack!.templateFullPath;
}
