import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { describe, expect, it, vi } from 'vitest';
import { config } from '../../infra/config.ts';
import { createApp } from '../../infra/create-app.ts';

describe('cdk-nag', () => {
  it('finds nothing in the stack', () => {
    expect(findings({ withOpenBucket: false })).toEqual([]);
  });

  it('is watching: it finds an open bucket', () => {
    expect(findings({ withOpenBucket: true })).toContain('AwsSolutions-S10');
  });
});

/** The rules that the stack breaks; synthesized without bundles, which no rule looks into. */
function findings({ withOpenBucket }: { withOpenBucket: boolean }): string[] {
  const outdir = mkdtempSync(join(tmpdir(), 'nag-'));
  const silence = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    const app = createApp({ outdir, context: { 'aws:cdk:bundling-stacks': [] } });
    if (withOpenBucket) new Bucket(app.node.findChild(config.stackName), 'Open');
    try {
      app.synth();
    } catch {
      // The report below says more.
    }
    const { pluginReports } = JSON.parse(readFileSync(join(outdir, 'validation-report.json'), 'utf8'));
    return pluginReports.flatMap(({ violations }: { violations: { ruleName: string }[] }) =>
      violations.map(({ ruleName }) => ruleName),
    );
  } finally {
    silence.mockRestore();
    rmSync(outdir, { recursive: true });
  }
}
