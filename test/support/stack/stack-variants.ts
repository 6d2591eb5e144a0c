import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App } from 'aws-cdk-lib';
import { SynthesisMessageLevel } from 'aws-cdk-lib/cx-api';
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
  gatewayLogRole: 'false',
};

/** What the stack itself warns of; the rest of the report is of cdk-nag. */
const CONSTRUCT_WARNINGS = 'Construct Annotations';

interface PluginReport {
  readonly pluginName: string;
  readonly violations: readonly { readonly ruleName: string }[];
}

const likeTheCli = { 'aws:cdk:enable-path-metadata': true };

/** The template that some options give; synthesized without bundles, which it does not show. */
export function synthesizeVariant(options: VariantOptions): StackTemplate {
  return inDirectory(options, (app, outdir) => {
    app.synth();
    return readTemplate(join(outdir, `${stackNameOf(options.stage)}.template.json`));
  });
}

/** What the synthesis with some options warns of. */
export function warningsOf(options: VariantOptions): unknown[] {
  return inDirectory(options, (app) => {
    const { messages } = app.synth().getStackByName(stackNameOf(options.stage));
    return messages.flatMap(({ level, entry }) => (level === SynthesisMessageLevel.WARNING ? [entry.data] : []));
  });
}

/** The rules of cdk-nag that the stack breaks with some options, and with something done to the application before. */
export function brokenRules(options: VariantOptions, prepare: (app: App) => void = () => {}): string[] {
  return inDirectory(options, (app, outdir) => {
    prepare(app);
    try {
      app.synth();
    } catch {
      // The report below says more.
    }
    const { pluginReports } = JSON.parse(readFileSync(join(outdir, 'validation-report.json'), 'utf8'));
    return pluginReports.flatMap(({ pluginName, violations }: PluginReport) =>
      pluginName === CONSTRUCT_WARNINGS ? [] : violations.map(({ ruleName }) => ruleName),
    );
  });
}

function inDirectory<Result>(options: VariantOptions, use: (app: App, outdir: string) => Result): Result {
  const outdir = mkdtempSync(join(tmpdir(), 'stack-'));
  try {
    return use(createApp({ outdir, context: { ...likeTheCli, 'aws:cdk:bundling-stacks': [], ...options } }), outdir);
  } finally {
    rmSync(outdir, { recursive: true });
  }
}
