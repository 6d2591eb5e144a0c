import { Bucket } from 'aws-cdk-lib/aws-s3';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { stackNameOf } from '../../infra/config.ts';
import { brokenRules, everyOption } from '../support/stack/stack-variants.ts';

beforeEach(() => {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe.each(['dev', 'prod'] as const)('cdk-nag in stage %s', (stage) => {
  it.each([
    ['no option', {}],
    ['x86_64', { architecture: 'x86_64' }],
    ['every option', everyOption],
  ])('finds nothing with %s', (_name, options) => {
    expect(brokenRules({ stage, ...options })).toEqual([]);
  });

  it('is watching: it finds an open bucket', () => {
    const found = brokenRules({ stage }, (app) => new Bucket(app.node.findChild(stackNameOf(stage)), 'Open'));
    expect(found).toContain('AwsSolutions-S10');
  });
});
