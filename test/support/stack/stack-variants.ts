import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pid } from 'node:process';
import type { App } from 'aws-cdk-lib';
import { vi } from 'vitest';
import { getStackName } from '../../../infra/config.ts';
import { hashSources, outputDirectory } from '../../../infra/local/synthesize.ts';
import { readGuide } from '../../../infra/openapi/published-documents.ts';
import { LANGUAGES } from '../../../lib/domain/language.ts';
import type { StageName, StageOptions } from '../../../infra/stages.ts';

/** A stage with its options. */
type VariantOptions = StageOptions & { readonly stage: StageName };

/** A value for every option of the stack, except the options of `recoveryOptions`. */
export const everyOption = {
  alarmEmail: 'operators@portal.example',
  domain: {
    domainName: 'api.portal.example',
    certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/0a1b2c3d',
    hostedZoneId: 'Z0123456789ABC',
    hostedZoneName: 'portal.example',
  },
  loginConcurrency: 60,
  waf: true,
  docs: true,
  clerkPage: true,
  events: true,
  gatewayLogRole: false,
} satisfies StageOptions;

/** A value for every option with which a stack recovers from the loss of a table or a region. */
export const recoveryOptions = {
  replicaRegion: 'eu-central-1',
  tables: {
    Directory: 'Directory-restored',
    Invoices: 'Invoices-restored',
    Declarations: 'Declarations-restored',
    DeclarationsStream:
      'arn:aws:dynamodb:eu-west-1:123456789012:table/Declarations-restored/stream/2026-11-20T13:59:59.000',
  },
} satisfies StageOptions;

/** The account and the region of the stage prod. */
export const prodOptions = { account: '123456789012', region: 'eu-west-1' };

/** A resource of the template. The test provides the type of `Properties`. */
interface TemplateResource<Properties> {
  readonly id: string;
  readonly type: string;
  /** The construct path below the stack, such as `login` or `InvoiceApi`. */
  readonly path: string;
  readonly Properties: Properties;
}

interface Template {
  readonly Parameters: Readonly<Record<string, unknown>>;
  readonly Outputs: Readonly<Record<string, { readonly Value: unknown; readonly Description?: string }>>;
  readonly Resources: Readonly<
    Record<string, { Type: string; Properties: unknown; Metadata?: Readonly<Record<string, string>> }>
  >;
}

/** The results of a synthesis: the template, its warnings, and the cdk-nag rules that it violates. */
interface Synthesis {
  readonly template: Template;
  /** The properties of the stack that are not in its template. */
  readonly stack: { readonly environment: string; readonly isProtected: boolean; readonly tags: object };
  readonly warnings: readonly unknown[];
  readonly brokenRules: readonly string[];
}

/** A synthesized stack. */
export type StackVariant = ReturnType<typeof parseVariant>;

const variants = new Map<string, Promise<StackVariant>>();

/** Returns the stack with these options. It is synthesized again only if its sources have changed. */
export function getVariant(options: VariantOptions): Promise<StackVariant> {
  const name = createHash('sha256').update(JSON.stringify(options)).digest('hex').slice(0, 16);
  const variant = variants.get(name) ?? loadVariant(name, options);
  variants.set(name, variant);
  return variant;
}

async function loadVariant(name: string, options: VariantOptions): Promise<StackVariant> {
  const folder = join(outputDirectory, 'variants');
  const file = join(folder, `${name}.json`);
  // With the option `docs`, a stack also contains the guides.
  const sources = [hashSources(), ...LANGUAGES.map(readGuide)].join('\n');
  const cached = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  if (cached.sources === sources) return parseVariant(cached);
  const synthesis = await synthesizeVariant(options);
  mkdirSync(folder, { recursive: true });
  // The rename is atomic, because another worker may read or write the same file.
  writeFileSync(`${file}.${pid}`, JSON.stringify({ ...synthesis, sources }));
  renameSync(`${file}.${pid}`, file);
  return parseVariant(synthesis);
}

function parseVariant({ template, stack, warnings, brokenRules }: Synthesis) {
  const resources = Object.entries(template.Resources).map(([id, resource]) => {
    const segments = (resource.Metadata?.['aws:cdk:path'] ?? '').split('/').slice(1);
    return { id, type: resource.Type, path: segments.join('/').replace(/\/Resource$/, ''), ...resource };
  });
  /** Finds the resources of a CloudFormation type. */
  const findResources = <Properties>(type: string) =>
    resources.filter((resource) => resource.type === type) as TemplateResource<Properties>[];
  return {
    stack,
    parameters: template.Parameters,
    outputs: template.Outputs,
    resources: resources as readonly TemplateResource<unknown>[],
    findResources,
    /** Returns the only resource of a type, optionally at a construct path. Throws if there is not exactly one. */
    getResource: <Properties>(type: string, path?: string) => {
      const matches = findResources<Properties>(type).filter(
        (candidate) => path === undefined || candidate.path === path,
      );
      const [resource] = matches;
      if (resource === undefined || matches.length > 1)
        throw new Error(`${matches.length} resources ${type} ${path ?? ''}`);
      return resource;
    },
    warnings,
    brokenRules,
  };
}

interface PluginReport {
  readonly pluginName: string;
  readonly violations: readonly { readonly ruleName: string }[];
}

/** Synthesizes the stack with these options and without bundles. */
async function synthesizeVariant({ stage, ...options }: VariantOptions): Promise<Synthesis> {
  // Imported only when needed, because the CDK takes seconds to load.
  const { createApp } = await import('../../../infra/stack.ts');
  const outdir = mkdtempSync(join(tmpdir(), 'stack-'));
  const stackName = getStackName(stage);
  // The CDK prints its validation report to the console.
  const console = vi.spyOn(globalThis.console, 'error').mockReturnValue();
  try {
    const context = { 'aws:cdk:enable-path-metadata': true, 'aws:cdk:bundling-stacks': [], stage };
    const place = stage === 'prod' ? prodOptions : {};
    const app = createApp({ [stage]: { ...place, ...options } }, { outdir, context });
    const read = (file: string) => JSON.parse(readFileSync(join(outdir, file), 'utf8'));
    const { warnings, stack } = readAssembly(app, stackName);
    const brokenRules = read('validation-report.json').pluginReports.flatMap(
      ({ pluginName, violations }: PluginReport) =>
        // Construct Annotations are the warnings of the stack itself. All other reports are from cdk-nag.
        pluginName === 'Construct Annotations' ? [] : violations.map(({ ruleName }) => ruleName),
    );
    return { template: read(`${stackName}.template.json`), stack, warnings, brokenRules };
  } finally {
    console.mockRestore();
    rmSync(outdir, { recursive: true });
  }
}

function readAssembly(app: App, stackName: string): Pick<Synthesis, 'warnings' | 'stack'> {
  try {
    const { messages, environment, terminationProtection = false, tags } = app.synth().getStackByName(stackName);
    const entries: readonly { level: string; entry: { data?: unknown } }[] = messages;
    const warnings = entries.flatMap(({ level, entry }) => (level === 'warning' ? [entry.data] : []));
    return { warnings, stack: { environment: environment.name, isProtected: terminationProtection, tags } };
  } catch {
    // The report of cdk-nag contains the reason.
    return { warnings: [], stack: { environment: '', isProtected: false, tags: {} } };
  }
}
