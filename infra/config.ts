import { join } from 'node:path';
import { env } from 'node:process';
import { OptionReader } from './option-reader.ts';
import { CommandError } from './process/terminal.ts';

/** The maximum rate of requests through the gateway, of all callers together. */
export interface Throttling {
  readonly requestsPerSecond: number;
  readonly burst: number;
}

/** The settings of a stage. Options can change `monitored` and `canary`. */
interface StageSettings {
  readonly logRetentionDays: number;
  readonly throttling: Throttling;
  /** The limits of single routes, by name. */
  readonly methodThrottling: Readonly<Record<string, Throttling>>;
  /** True if tables, logs and the encryption key outlive the stack, and the tables are protected from deletion. */
  readonly keepData: boolean;
  /** True if the stage has alarms and a dashboard. */
  readonly monitored: boolean;
  /** True if a new version first receives a tenth of the requests. It receives all requests only if no alarm starts. */
  readonly canary: boolean;
}

/** The settings of each stage, by the name that `-c stage=` takes. To add a stage, add an entry. */
export const STAGES = {
  dev: {
    logRetentionDays: 7,
    throttling: { requestsPerSecond: 50, burst: 100 },
    methodThrottling: {},
    keepData: false,
    monitored: false,
    canary: false,
  },
  prod: {
    logRetentionDays: 90,
    // If every request took a second, 500 would run at once: half of the 1000 concurrent executions of an account.
    throttling: { requestsPerSecond: 500, burst: 1000 },
    // Callers without an account can make `login` and `legacy-dispatch` compute argon2. If each request takes a second,
    // a burst and the requests of the next second use (50 + 50) + (100 + 100) = 300 of the 1000 executions. 10,000
    // suppliers that log in on the same working day send only 0.3 logins a second.
    methodThrottling: {
      login: { requestsPerSecond: 50, burst: 50 },
      'legacy-dispatch': { requestsPerSecond: 100, burst: 100 },
      // A page needs about ten requests, and browsers cache the files.
      docs: { requestsPerSecond: 50, burst: 50 },
    },
    keepData: true,
    monitored: true,
    canary: true,
  },
} satisfies Readonly<Record<string, StageSettings>>;

export type StageName = keyof typeof STAGES;

/** The stage without `-c stage=`, which `npm start` and the tests run. */
export const DEFAULT_STAGE = 'dev' satisfies StageName;

/**
 * Returns the name of the stack of a stage: the variable STACK_NAME, or the default. An empty variable counts as not
 * set, because pipelines set the variables that they do not use to ''.
 */
export function getStackName(stage: StageName): string {
  return env['STACK_NAME'] || `SupplierPortalInvoices-${stage}`;
}

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
    POWERTOOLS_METRICS_NAMESPACE: METRICS_NAMESPACE,
    POWERTOOLS_LOG_LEVEL: 'INFO',
  };
}

export interface Deployment extends StageSettings {
  readonly stage: StageName;
  readonly stackName: string;
  readonly alarmEmail: string | undefined;
  readonly architecture: 'arm64' | 'x86_64';
  /** The write units in an hour above which an alarm starts. */
  readonly writeUnitsPerHour: number;
  readonly domain: CustomDomain | undefined;
  /** The number of executions reserved for the login, which is also its maximum; undefined if it has no such limit. */
  readonly loginConcurrency: number | undefined;
  readonly waf: boolean;
  /** True if the API serves the reference page. */
  readonly docs: boolean;
  /** True if declarations and state changes are published as events. */
  readonly events: boolean;
  /** True if the stack sets the logging role of API Gateway, which all APIs of an account and region share. */
  readonly gatewayLogRole: boolean;
}

/** A custom domain of the API, with its certificate and its hosted zone. */
export interface CustomDomain {
  readonly domainName: string;
  readonly certificateArn: string;
  readonly hostedZoneId: string;
  readonly hostedZoneName: string;
}

/** A domain name such as `api.portal.example`. */
const HOST_NAME = /^([a-z0-9-]+\.)+[a-z]{2,}$/;
/** An ARN such as `arn:aws:acm:eu-west-1:123456789012:certificate/0a1b2c3d`. */
const CERTIFICATE_ARN = /^arn:[\w-]+:acm:[\w-]+:\d{12}:certificate\/.+$/;

/**
 * Reads the options of a deployment from the context of the CDK; throws a CommandError for the first invalid or unknown
 * option.
 */
export function readDeployment(context: Readonly<Record<string, unknown>>): Deployment {
  const options = new OptionReader(context);
  const otherStages = (Object.keys(STAGES) as StageName[]).filter((name) => name !== DEFAULT_STAGE);
  const stage = options.readChoice('stage', [DEFAULT_STAGE, ...otherStages]);
  const settings: StageSettings = STAGES[stage];
  const alarmEmail = options.readText('alarmEmail', /^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'an e-mail address');
  const canary = options.readFlag('canary', settings.canary);
  const stackName = getStackName(stage);
  checkStackName(stackName, stage);
  const deployment = {
    ...settings,
    stage,
    canary,
    // A canary deployment needs alarms. An e-mail address for alarms also switches alarms on.
    monitored: settings.monitored || canary || alarmEmail !== undefined,
    stackName,
    alarmEmail,
    architecture: options.readChoice('architecture', ['arm64', 'x86_64']),
    // 10,000 suppliers use 130,000 units in a working hour, a quarter of the default. An attack by a single user, who can
    // use 725,000, starts the alarm.
    writeUnitsPerHour: options.readWholeNumber('writeUnitsPerHour') ?? 500_000,
    domain: readCustomDomain(options),
    loginConcurrency: options.readWholeNumber('loginConcurrency'),
    waf: options.readFlag('waf'),
    docs: options.readFlag('docs'),
    events: options.readFlag('events'),
    gatewayLogRole: options.readFlag('gatewayLogRole', true),
  };
  options.rejectUnknown();
  return deployment;
}

/** Reads the options of a custom domain. Returns undefined if none is set; throws a CommandError for a missing one. */
function readCustomDomain(options: OptionReader): CustomDomain | undefined {
  const domain = {
    domainName: options.readText('domainName', HOST_NAME, 'a domain name in lower case'),
    certificateArn: options.readText('certificateArn', CERTIFICATE_ARN, 'the ARN of a certificate'),
    hostedZoneId: options.readText('hostedZoneId', /^Z[A-Z0-9]+$/, 'the id of a zone, such as Z0123456789ABC'),
    hostedZoneName: options.readText('hostedZoneName', HOST_NAME, 'a domain name in lower case'),
  };
  const missingNames = Object.keys(domain).filter((name) => domain[name as keyof CustomDomain] === undefined);
  if (missingNames.length === Object.keys(domain).length) return undefined;
  if (missingNames.length > 0) throw new CommandError(`A custom domain also needs ${missingNames.join(', ')}.`);
  const { domainName, hostedZoneName } = domain;
  if (!`.${domainName}`.endsWith(`.${hostedZoneName}`))
    throw new CommandError(`-c domainName=${domainName} is not a name in the zone ${hostedZoneName}.`);
  return domain as CustomDomain;
}

/** Throws a CommandError if a name is not valid for a stack, or if it contains another stage. */
function checkStackName(name: string, stage: StageName): void {
  if (!/^[A-Za-z][A-Za-z0-9-]{0,127}$/.test(name))
    throw new CommandError(
      `STACK_NAME=${name} is not valid. Use at most 128 letters, digits and hyphens, and begin with a letter.`,
    );
  // A stage may contain the name of another stage, such as prod in pre-prod.
  const otherStage = Object.keys(STAGES).find((other) => hasWord(name, other) && !hasWord(stage, other));
  if (otherStage === undefined) return;
  throw new CommandError(
    `STACK_NAME=${name} contains the stage ${otherStage}, but the stage is ${stage}. ` +
      `Use another name, or -c stage=${otherStage}.`,
  );
}

/** True if a name contains a word, in any case: `Portal-prod`, `prod2-portal` and `PortalProd` contain `prod`. */
function hasWord(name: string, word: string): boolean {
  // `PortalProd` becomes `portal-prod`.
  const words = name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
  return new RegExp(`(?<![a-z])${word}(?![a-z])`).test(words);
}
