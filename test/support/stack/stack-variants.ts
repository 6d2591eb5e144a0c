import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App } from 'aws-cdk-lib';
import { SynthesisMessageLevel } from 'aws-cdk-lib/cx-api';
import { vi } from 'vitest';
import { type StageName, stackNameOf } from '../../../infra/config.ts';
import { createApp } from '../../../infra/stack.ts';
import { readTemplate, type StackTemplate } from './read-template.ts';

/** What `-c name=value` may set. */
export type VariantOptions = Readonly<Record<string, string>> & { readonly stage: StageName };

/** Every option at once but another architecture. */
export const everyOption = {
  alarmEmail: 'operators@portal.example',
  writeUnitsPerHour: '2000000',
  domainName: 'api.portal.example',
  certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/0a1b2c3d',
  hostedZoneId: 'Z0123456789ABC',
  hostedZoneName: 'portal.example',
  loginConcurrency: '60',
  waf: 'true',
  docs: 'true',
  events: 'true',
  gatewayLogRole: 'false',
};

/** What the stack itself warns of; the rest of the report is of cdk-nag. */
const CONSTRUCT_WARNINGS = 'Construct Annotations';

interface PluginReport {
  readonly pluginName: string;
  readonly violations: readonly { readonly ruleName: string }[];
}

const likeTheCli = { 'aws:cdk:enable-path-metadata': true };

/** What a synthesis gives: the template, what it warns of, and the rules of cdk-nag that it breaks. */
interface Variant extends StackTemplate {
  readonly warnings: readonly unknown[];
  readonly brokenRules: readonly string[];
}

const variants = new Map<string, Variant>();

/** What some options give, synthesized once for all tests of a worker. */
export function variantOf(options: VariantOptions): Variant {
  const name = JSON.stringify(options);
  const variant = variants.get(name) ?? synthesizeVariant(options);
  variants.set(name, variant);
  return variant;
}

/**
 * What some options give, and something that is done to the application before; without bundles, which the template
 * does not show.
 */
export function synthesizeVariant(options: VariantOptions, prepare: (app: App) => void = () => {}): Variant {
  const outdir = mkdtempSync(join(tmpdir(), 'stack-'));
  const stackName = stackNameOf(options.stage);
  // What the CDK reports meanwhile.
  const console = vi.spyOn(globalThis.console, 'error').mockReturnValue();
  try {
    const app = createApp({ outdir, context: { ...likeTheCli, 'aws:cdk:bundling-stacks': [], ...options } });
    prepare(app);
    const warnings = warningsOf(app, stackName);
    const { pluginReports } = JSON.parse(readFileSync(join(outdir, 'validation-report.json'), 'utf8'));
    const brokenRules = pluginReports.flatMap(({ pluginName, violations }: PluginReport) =>
      pluginName === CONSTRUCT_WARNINGS ? [] : violations.map(({ ruleName }) => ruleName),
    );
    return { ...readTemplate(join(outdir, `${stackName}.template.json`)), warnings, brokenRules };
  } finally {
    console.mockRestore();
  }
}

function warningsOf(app: App, stackName: string): unknown[] {
  try {
    const { messages } = app.synth().getStackByName(stackName);
    return messages.flatMap(({ level, entry }) => (level === SynthesisMessageLevel.WARNING ? [entry.data] : []));
  } catch {
    // The report of cdk-nag says more.
    return [];
  }
}
