import { DEFAULT_STAGE, stackNameOf, type StageConfig, type StageName, stages } from './config.ts';
import { CommandError } from './terminal.ts';

const HOST = /^([a-z0-9-]+\.)+[a-z]{2,}$/;

const DOMAIN_PARTS = {
  domainName: [HOST, 'a domain name in lower case'],
  certificateArn: [/^arn:[\w-]+:acm:[\w-]+:\d{12}:certificate\/.+$/, 'the ARN of a certificate'],
  hostedZoneId: [/^Z[A-Z0-9]+$/, 'the id of a zone, such as Z0123456789ABC'],
  hostedZoneName: [HOST, 'a domain name in lower case'],
} as const;

/** A custom domain of the API, with its certificate and its hosted zone. */
export type CustomDomain = Readonly<Record<keyof typeof DOMAIN_PARTS, string>>;

// Four times the writes of 10,000 suppliers in a working hour (130,000), and less than one user can write (725,000).
const WRITE_UNITS_PER_HOUR = 500_000;

// Names that the CDK itself adds to the context without a colon or a slash.
const NAMES_OF_THE_CDK = ['cli-telemetry', 'acknowledged-issue-numbers'];

/** Returns the value of an option; undefined if it is not set. */
type Options = (name: string) => string | undefined;

/** The settings of a deployment: those of its stage, and its options. */
export type Deployment = ReturnType<typeof readDeployment>;

/**
 * Reads the options of a deployment from the context of the CDK; throws a CommandError for the first invalid or unknown
 * option.
 */
export function readDeployment(context: Readonly<Record<string, unknown>>) {
  const names: string[] = [];
  const options: Options = (name) => {
    names.push(name);
    return context[name]?.toString();
  };
  const isSet = (name: string, byDefault = false) =>
    oneOf(options, name, byDefault ? ['true', 'false'] : ['false', 'true']) === 'true';
  const others = (Object.keys(stages) as StageName[]).filter((name) => name !== DEFAULT_STAGE);
  const stage = oneOf(options, 'stage', [DEFAULT_STAGE, ...others]);
  const config: StageConfig = stages[stage];
  const alarmEmail = matching(options, 'alarmEmail', /^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'an e-mail address');
  const canary = isSet('canary', config.canary);
  const deployment = {
    ...config,
    stage,
    canary,
    // A canary deployment needs alarms, and an e-mail address for alarms implies them.
    monitored: config.monitored || canary || alarmEmail !== undefined,
    stackName: checkStackName(stackNameOf(stage), stage),
    alarmEmail,
    architecture: oneOf(options, 'architecture', ['arm64', 'x86_64']),
    /** The number of write units per hour, of all tables together, above which an alarm starts. */
    writeUnitsPerHour: wholeNumber(options, 'writeUnitsPerHour') ?? WRITE_UNITS_PER_HOUR,
    domain: customDomain(options),
    /** The executions that only the login can use, and its maximum; undefined: no limit of its own. */
    loginConcurrency: wholeNumber(options, 'loginConcurrency'),
    /** True if a web ACL protects the API. */
    waf: isSet('waf'),
    /** True if the reference page is published with the API. */
    docs: isSet('docs'),
    /** True if declarations and state changes are published as events. */
    events: isSet('events'),
    /** True if the stack sets the logging role of API Gateway, which all APIs of an account and region share. */
    gatewayLogRole: isSet('gatewayLogRole', true),
  };
  const known = [...names, ...NAMES_OF_THE_CDK];
  const unknown = Object.keys(context).find((name) => !/[:/]/.test(name) && !known.includes(name));
  if (unknown === undefined) return deployment;
  throw new CommandError(`-c ${unknown}: there is no such option. The options are ${names.join(', ')}.`);
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

function customDomain(options: Options): CustomDomain | undefined {
  const names = Object.keys(DOMAIN_PARTS) as (keyof typeof DOMAIN_PARTS)[];
  const parts = names.map((name) => {
    const [pattern, expected] = DOMAIN_PARTS[name];
    return [name, matching(options, name, pattern, expected)] as const;
  });
  const missing = parts.flatMap(([name, value]) => (value === undefined ? [name] : []));
  if (missing.length === names.length) return undefined;
  if (missing.length > 0) throw new CommandError(`A custom domain also needs ${missing.join(', ')}.`);

  const domain = Object.fromEntries(parts) as CustomDomain;
  if (!`.${domain.domainName}`.endsWith(`.${domain.hostedZoneName}`)) {
    throw new CommandError(`-c domainName=${domain.domainName}: not a name in the zone ${domain.hostedZoneName}.`);
  }
  return domain;
}

/** Reads an option with fixed values; by default, returns the first value. */
function oneOf<Value extends string>(options: Options, name: string, values: readonly [Value, ...Value[]]): Value {
  const given = options(name) ?? values[0];
  const value = values.find((candidate) => candidate === given);
  if (value === undefined) throw new CommandError(`-c ${name}=${given}: not one of ${values.join(', ')}.`);
  return value;
}

function wholeNumber(options: Options, name: string): number | undefined {
  const given = matching(options, name, /^[1-9]\d{0,8}$/, 'a whole number from 1 to 999999999');
  return given === undefined ? undefined : Number(given);
}

function matching(options: Options, name: string, pattern: RegExp, expected: string): string | undefined {
  const given = options(name);
  if (given !== undefined && !pattern.test(given)) throw new CommandError(`-c ${name}=${given}: not ${expected}.`);
  return given;
}
