import { join } from 'node:path';
import { env } from 'node:process';
import { OptionReader } from './option-reader.ts';
import { CommandError } from './process/terminal.ts';
import { readCustomDomain, readExistingTables, readRegions } from './read-option-groups.ts';
import { STAGE_OPTIONS, type StageName, type StageOptionsTable, STAGES, type StageSettings } from './stages.ts';

/** The stage without `-c stage=`, which `npm start` and the tests run. */
export const DEFAULT_STAGE = 'dev' satisfies StageName;

/**
 * Returns the name of the stack of a stage: the variable STACK_NAME, or the default. An empty variable counts as not
 * set, because pipelines set the variables that they do not use to ''.
 */
export function getStackName(stage: StageName): string {
  return env['STACK_NAME'] || `SupplierPortalInvoices-${stage}`;
}

/** The value of the tag `service`, which every stack has. */
const SERVICE_TAG = 'supplier-portal-invoices';

/** The CloudWatch namespace of the metrics that the functions write. */
export const METRICS_NAMESPACE = 'SupplierPortal';

/** Returns the folder in a synthesized assembly that contains a folder for the bundle of each function. */
export function getBundleRoot(assembly: string): string {
  return join(assembly, 'bundles');
}

/** Returns the folder in a synthesized assembly that contains the bundle of a function and its source map. */
export function getBundleFolder(assembly: string, name: string): string {
  return join(getBundleRoot(assembly), name);
}

/** The stage of the API in API Gateway, which is part of the address without a custom domain. */
export const GATEWAY_STAGE = 'live';

/** The alias of each function with canary deployments. The API calls this alias, not the function itself. */
export const LIVE_ALIAS = 'live';

/**
 * Returns the environment variables of every function of a stage, except the names of its stack and tables. Issuer and
 * audience contain the stage, so that a token of one stage is invalid in all others, even if they shared a key.
 */
export function buildFunctionEnvironment(stage: StageName) {
  return {
    TOKEN_ISSUER: env['TOKEN_ISSUER'] || `supplier-portal-invoices/${stage}`,
    TOKEN_AUDIENCE: env['TOKEN_AUDIENCE'] || `supplier-portal/${stage}`,
    METRICS_NAMESPACE: METRICS_NAMESPACE,
    LOG_LEVEL: 'INFO',
  };
}

/** The settings and the options of a deployment. infra/README.md explains the options. */
export type Deployment = ReturnType<typeof readDeployment>;

/**
 * Reads the options of a deployment: those of its stage in infra/stages.ts, which the context of the CDK can replace.
 * Throws a CommandError for the first missing, invalid or unknown option.
 */
export function readDeployment(
  context: Readonly<Record<string, unknown>>,
  stageOptions: StageOptionsTable = STAGE_OPTIONS,
) {
  const options = new OptionReader(context);
  const otherStages = (Object.keys(STAGES) as StageName[]).filter((name) => name !== DEFAULT_STAGE);
  const stage = options.readChoice('stage', [DEFAULT_STAGE, ...otherStages]);
  const settings: StageSettings = STAGES[stage];
  const entry = stageOptions[stage] ?? {};
  if (settings.keepData && (entry.account === undefined || entry.region === undefined))
    throw new CommandError(
      `infra/stages.ts must name the account and the region of the stage ${stage}, as infra/README.md shows.`,
    );
  const { domain, tables = {}, tags = {}, ...ownOptions } = entry;
  const tableOptions = Object.entries(tables).map(([name, value]) => [`tables.${name}`, value]);
  options.addDefaults({ ...ownOptions, ...domain, ...Object.fromEntries(tableOptions) });
  const alarmEmail = options.readText('alarmEmail', /^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'an e-mail address');
  const canary = options.readFlag('canary', settings.canary);
  const events = options.readFlag('events');
  const deployment = {
    ...settings,
    stage,
    canary,
    // A canary deployment needs alarms. An e-mail address for alarms also switches alarms on.
    monitored: settings.monitored || canary || alarmEmail !== undefined,
    stackName: getStackName(stage),
    account: options.readText('account', /^\d{12}$/, 'an account id of 12 digits'),
    ...readRegions(options),
    tables: readExistingTables(options, events),
    tags: { service: SERVICE_TAG, stage, ...tags },
    alarmEmail,
    architecture: options.readChoice('architecture', ['arm64', 'x86_64']),
    // 10,000 suppliers use 73,000 units in a working hour, a quarter of the default. An attack by a single user, who can
    // use 360,000, starts the alarm.
    writeUnitsPerHour: options.readWholeNumber('writeUnitsPerHour') ?? 300_000,
    domain: readCustomDomain(options),
    loginConcurrency: options.readWholeNumber('loginConcurrency'),
    waf: options.readFlag('waf'),
    docs: options.readFlag('docs'),
    events,
    gatewayLogRole: options.readFlag('gatewayLogRole', true),
  };
  options.rejectUnknown();
  return deployment;
}
