import { DEFAULT_STAGE, stackNameOf, type StageConfig, type StageName, stages } from './config.ts';
import { CommandError } from './terminal.ts';

const HOST = /^([a-z0-9-]+\.)+[a-z]{2,}$/;

const DOMAIN_PARTS = {
  domainName: [HOST, 'a domain name in lower case'],
  certificateArn: [/^arn:[\w-]+:acm:[\w-]+:\d{12}:certificate\/.+$/, 'the ARN of a certificate'],
  hostedZoneId: [/^Z[A-Z0-9]+$/, 'the id of a zone, such as Z0123456789ABC'],
  hostedZoneName: [HOST, 'a domain name in lower case'],
} as const;

/** A domain of one's own for the API, with its certificate and the zone that it is a name of. */
export type CustomDomain = Readonly<Record<keyof typeof DOMAIN_PARTS, string>>;

/** What is deployed: a stage, and what the options of this deployment add to it. */
export interface Deployment extends StageConfig {
  readonly stackName: string;
  readonly architecture: 'arm64' | 'x86_64';
  readonly alarmEmail: string | undefined;
  /** Above how many write units in an hour, of all tables together, an alarm begins. */
  readonly writeUnitsPerHour: number;
  readonly domain: CustomDomain | undefined;
  /**
   * How many executions of the account are the login's alone, and the most that it gets; undefined: it takes what it
   * needs.
   */
  readonly loginConcurrency: number | undefined;
  /** Whether a web ACL stands in front of the API. */
  readonly waf: boolean;
  /** Whether the reference page is published beside the API. */
  readonly docs: boolean;
  /** Whether events tell other systems what suppliers declare and which states change. */
  readonly events: boolean;
  /** Whether the stack sets the role with which API Gateway logs, one for all APIs of an account and region. */
  readonly gatewayLogRole: boolean;
}

// Four times what 10,000 suppliers write in an hour of work, and less than one user can write: infra/ops/README.md.
const WRITE_UNITS_PER_HOUR = 500_000;

// What the CDK keeps in the same place and does not mark with a colon or a slash.
const NAMES_OF_THE_CDK = ['cli-telemetry', 'acknowledged-issue-numbers'];

/** Gives the value of an option, undefined when it is not set. */
type Options = (name: string) => string | undefined;

/**
 * Reads the options of a deployment from the context of the CDK; throws a CommandError for the first that is wrong, or
 * that there is not.
 */
export function readDeployment(context: Readonly<Record<string, unknown>>): Deployment {
  const names: string[] = [];
  const options: Options = (name) => {
    names.push(name);
    return context[name]?.toString();
  };
  const others = (Object.keys(stages) as StageName[]).filter((name) => name !== DEFAULT_STAGE);
  const stage = oneOf(options, 'stage', [DEFAULT_STAGE, ...others]);
  const alarmEmail = matching(options, 'alarmEmail', /^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'an e-mail address');
  const canary = oneOf(options, 'canary', stages[stage].canary ? ['true', 'false'] : ['false', 'true']) === 'true';
  const deployment: Deployment = {
    ...stages[stage],
    canary,
    // Alarms decide about a new version; and who wants to hear of them wants them.
    watched: stages[stage].watched || canary || alarmEmail !== undefined,
    stackName: checkedStackName(stackNameOf(stage)),
    alarmEmail,
    architecture: oneOf(options, 'architecture', ['arm64', 'x86_64']),
    writeUnitsPerHour: wholeNumber(options, 'writeUnitsPerHour') ?? WRITE_UNITS_PER_HOUR,
    domain: customDomain(options),
    loginConcurrency: wholeNumber(options, 'loginConcurrency'),
    waf: oneOf(options, 'waf', ['false', 'true']) === 'true',
    docs: oneOf(options, 'docs', ['false', 'true']) === 'true',
    events: oneOf(options, 'events', ['false', 'true']) === 'true',
    gatewayLogRole: oneOf(options, 'gatewayLogRole', ['true', 'false']) === 'true',
  };
  const known = [...names, ...NAMES_OF_THE_CDK];
  const unknown = Object.keys(context).find((name) => !/[:/]/.test(name) && !known.includes(name));
  if (unknown === undefined) return deployment;
  throw new CommandError(`-c ${unknown}: there is no such option. The options are ${names.join(', ')}.`);
}

function checkedStackName(name: string): string {
  if (/^[A-Za-z][A-Za-z0-9-]{0,127}$/.test(name)) return name;
  throw new CommandError(`STACK_NAME=${name}: not letters, digits and hyphens, with a letter first.`);
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

/** One of some values; without the option, the first. */
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
