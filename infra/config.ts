import { join } from 'node:path';
import { env } from 'node:process';
import { CommandError } from './process/terminal.ts';

/** The maximum rate of requests through the gateway, of all callers together. */
export type Throttling = Readonly<Record<'requestsPerSecond' | 'burst', number>>;

const dev = {
  logRetentionDays: 7,
  throttling: { requestsPerSecond: 50, burst: 100 } as Throttling,
  /** The limits of single routes, by name. */
  methodThrottling: {} as { readonly [route: string]: Throttling },
  /** True if tables, logs and the encryption key outlive the stack, and the tables are protected from deletion. */
  keepData: false,
  /** True if the stage has alarms and a dashboard. */
  monitored: false,
  /** True if a new version first receives a tenth of the requests, and all only if no alarm starts. */
  canary: false,
};

/** The stages, by the name that `-c stage=` takes. A further stage is a further entry. */
export const stages = {
  dev,
  prod: {
    logRetentionDays: 90,
    // Half of the 1000 concurrent executions that an account has, if every request took a second.
    throttling: { requestsPerSecond: 500, burst: 1000 },
    // Callers without an account can make these functions compute argon2. If each request takes a second, as with a cold
    // start, both together use 300 of the 1000 executions. 10,000 suppliers log in 0.3 times a second.
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
} satisfies Readonly<Record<string, typeof dev>>;

export type StageName = keyof typeof stages;

/** The stage without `-c stage=`, which `npm start` and the tests run. */
export const DEFAULT_STAGE = 'dev' satisfies StageName;

/** Returns the name of a stage's stack. An empty variable counts as not set, because pipelines set unused ones to ''. */
export function getStackName(stage: StageName): string {
  return env['STACK_NAME'] || `SupplierPortalInvoices-${stage}`;
}

export const METRICS_NAMESPACE = 'SupplierPortal';

/** Returns the folder in a synthesized assembly that has the bundle of a function and its source map. */
export function getBundleFolder(assembly: string, name: string): string {
  return join(assembly, 'bundles', name);
}

export const GATEWAY_STAGE = 'live';

/** The alias of functions with canary deployments, which the API calls. */
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

const HOST = /^([a-z0-9-]+\.)+[a-z]{2,}$/;

/** The settings of a deployment: those of its stage, and its options. */
export type Deployment = ReturnType<typeof readDeployment>;

/**
 * Reads the options of a deployment from the context of the CDK; throws a CommandError for the first invalid or unknown
 * option.
 */
export function readDeployment(context: Readonly<Record<string, unknown>>) {
  const names: string[] = [];
  const matching = (name: string, pattern: RegExp, expected: string) => {
    names.push(name);
    const given = context[name]?.toString();
    if (given !== undefined && !pattern.test(given)) throw new CommandError(`-c ${name}=${given}: not ${expected}.`);
    return given;
  };
  /** Reads an option with fixed values, the first of which is the default. */
  const readChoice = <Value extends string>(name: string, values: readonly Value[]) =>
    (matching(name, new RegExp(`^(?:${values.join('|')})$`), `one of ${values.join(', ')}`) ?? values[0]) as Value;
  const isSet = (name: string, byDefault = false) =>
    readChoice(name, byDefault ? ['true', 'false'] : ['false', 'true']) === 'true';
  const wholeNumber = (name: string) => {
    const given = matching(name, /^[1-9]\d{0,8}$/, 'a whole number from 1 to 999999999');
    return given === undefined ? undefined : Number(given);
  };

  const others = (Object.keys(stages) as StageName[]).filter((name) => name !== DEFAULT_STAGE);
  const stage = readChoice('stage', [DEFAULT_STAGE, ...others]);
  const config: typeof stages.dev = stages[stage];
  const alarmEmail = matching('alarmEmail', /^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'an e-mail address');
  const canary = isSet('canary', config.canary);
  const deployment = {
    ...config,
    stage,
    canary,
    // A canary deployment needs alarms, and an e-mail address for alarms implies them.
    monitored: config.monitored || canary || alarmEmail !== undefined,
    stackName: checkStackName(getStackName(stage), stage),
    alarmEmail,
    architecture: readChoice('architecture', ['arm64', 'x86_64']),
    // Four times the writes of 10,000 suppliers in a working hour (130,000), less than one user can write (725,000).
    writeUnitsPerHour: wholeNumber('writeUnitsPerHour') ?? 500_000,
    domain: checkDomain({
      domainName: matching('domainName', HOST, 'a domain name in lower case'),
      certificateArn: matching(
        'certificateArn',
        /^arn:[\w-]+:acm:[\w-]+:\d{12}:certificate\/.+$/,
        'the ARN of a certificate',
      ),
      hostedZoneId: matching('hostedZoneId', /^Z[A-Z0-9]+$/, 'the id of a zone, such as Z0123456789ABC'),
      hostedZoneName: matching('hostedZoneName', HOST, 'a domain name in lower case'),
    }),
    /** The executions that only the login can use, and its maximum; undefined: no limit of its own. */
    loginConcurrency: wholeNumber('loginConcurrency'),
    waf: isSet('waf'),
    docs: isSet('docs'),
    events: isSet('events'),
    /** True if the stack sets the logging role of API Gateway, which all APIs of an account and region share. */
    gatewayLogRole: isSet('gatewayLogRole', true),
  };
  // The CDK itself adds two names without a colon or a slash.
  const known = [...names, 'cli-telemetry', 'acknowledged-issue-numbers'];
  const unknown = Object.keys(context).find((name) => !/[:/]/.test(name) && !known.includes(name));
  if (unknown === undefined) return deployment;
  throw new CommandError(`-c ${unknown}: there is no such option. The options are ${names.join(', ')}.`);
}

/** A custom domain of the API, with its certificate and its hosted zone. */
export type CustomDomain = Readonly<
  Record<'domainName' | 'certificateArn' | 'hostedZoneId' | 'hostedZoneName', string>
>;

/** Returns the custom domain if all its options are set, or undefined if none is. */
function checkDomain(options: { readonly [name in keyof CustomDomain]: string | undefined }): CustomDomain | undefined {
  const missing = Object.entries(options).flatMap(([name, value]) => (value === undefined ? [name] : []));
  if (missing.length === 4) return undefined;
  if (missing.length > 0) throw new CommandError(`A custom domain also needs ${missing.join(', ')}.`);
  const { domainName, hostedZoneName } = options;
  if (!`.${domainName}`.endsWith(`.${hostedZoneName}`))
    throw new CommandError(`-c domainName=${domainName}: not a name in the zone ${hostedZoneName}.`);
  return options as CustomDomain;
}

function checkStackName(name: string, stage: StageName): string {
  if (!/^[A-Za-z][A-Za-z0-9-]{0,127}$/.test(name))
    throw new CommandError(`STACK_NAME=${name}: not letters, digits and hyphens, with a letter first.`);
  // A stage may contain the name of another stage, such as prod in pre-prod.
  const other = Object.keys(stages).find((word) => hasWord(name, word) && !hasWord(stage, word));
  if (other === undefined) return name;
  const advice = `Use another name, or -c stage=${other}.`;
  throw new CommandError(`STACK_NAME=${name}: it contains the stage ${other}, but the stage is ${stage}. ${advice}`);
}

/** True if a name contains a word, in any case: `Portal-prod`, `prod2-portal` and `PortalProd` contain `prod`. */
function hasWord(name: string, word: string): boolean {
  const words = name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
  return new RegExp(`(?<![a-z])${word}(?![a-z])`).test(words);
}
