import { join } from 'node:path';
import { env } from 'node:process';
import { CommandError } from './process/terminal.ts';
import {
  type CustomDomain,
  type ExistingTables,
  STAGE_OPTIONS,
  type StageName,
  type StageOptions,
  STAGES,
  type StageSettings,
} from './stages.ts';

/** The stage without `-c stage=`, which `npm start` and the tests run. */
export const DEFAULT_STAGE = 'dev' satisfies StageName;

/** The CloudWatch namespace of the metrics that the functions write. */
export const METRICS_NAMESPACE = 'SupplierPortal';

/** The stage of the API in API Gateway, which is part of the address without a custom domain. */
export const GATEWAY_STAGE = 'live';

/** The keys that the CDK itself adds to the context. All its other keys contain a colon or a slash. */
const CDK_CONTEXT_KEYS = ['cli-telemetry', 'acknowledged-issue-numbers'];

const DEFAULT_OPTIONS = {
  docs: false,
  clerkPage: false,
  events: false,
  architecture: 'arm64' as const,
  gatewayLogRole: true,
  tables: {} as ExistingTables,
};

/** The context of the CDK: the values of the options `-c name=value`, and values of the CDK itself. */
type Context = Readonly<Record<string, unknown>>;

/** The settings and the options of a deployment. infra/README.md explains the options. */
export type Deployment = ReturnType<typeof readDeployment>;

/** Reads the options of a deployment. Throws a CommandError for the first missing, invalid or unknown option. */
export function readDeployment(context: Context, stageOptions = STAGE_OPTIONS) {
  rejectUnknownContext(context);
  const stage = readStage(context);
  const settings: StageSettings = STAGES[stage];
  const options: StageOptions = { ...stageOptions[stage], ...readCanary(context) };
  // An option replaces the setting of its stage.
  const deployment = { ...DEFAULT_OPTIONS, ...settings, ...options };
  const hasAccount = options.account !== undefined && options.region !== undefined;
  if (settings.keepData && !hasAccount) {
    throw new CommandError(
      `infra/stages.ts must name the account and the region of the stage ${stage}, as infra/README.md shows.`,
    );
  }
  if (options.domain) checkDomain(options.domain);
  if (options.tables) checkTables(options.tables);
  // A canary deployment and an e-mail address for alarms need alarms, so that each of them also turns monitoring on.
  const monitored = settings.monitored || deployment.canary || options.alarmEmail !== undefined;
  const tags = { service: 'supplier-portal-invoices', stage, ...options.tags };
  return { ...deployment, stage, monitored, stackName: getStackName(stage), tags };
}

/** Rejects an option that belongs in infra/stages.ts, and a misspelt one, such as `-c stge=prod`. */
function rejectUnknownContext(context: Context): void {
  const allowedNames = ['stage', 'canary', ...CDK_CONTEXT_KEYS];
  const unknownName = Object.keys(context).find((name) => !/[:/]/.test(name) && !allowedNames.includes(name));
  if (unknownName === undefined) return;
  throw new CommandError(`-c sets only stage and canary. Set ${unknownName} in infra/stages.ts, if it is an option.`);
}

function readStage({ stage = DEFAULT_STAGE }: Context): StageName {
  const names = Object.keys(STAGES) as StageName[];
  const knownName = names.find((name) => name === stage);
  if (knownName === undefined) throw new CommandError(`-c stage must be one of ${names.join(', ')}.`);
  return knownName;
}

/** Reads `-c canary=true` or `-c canary=false`, which replaces the option of the stage. */
function readCanary({ canary }: Context): Pick<StageOptions, 'canary'> {
  if (canary === undefined) return {};
  if (canary === 'true' || canary === 'false') return { canary: canary === 'true' };
  throw new CommandError('-c canary must be true or false.');
}

/** Rejects a name outside the zone. The CDK would append the zone, and the domain would have no address. */
function checkDomain({ domainName, hostedZoneName }: CustomDomain): void {
  const isInZone = domainName === hostedZoneName || domainName.endsWith(`.${hostedZoneName}`);
  if (!isInZone) throw new CommandError(`domainName=${domainName} is not a name in the zone ${hostedZoneName}.`);
}

/** Rejects an existing table of invoices without its table of declarations, and a stream of another table. */
function checkTables({ Invoices, Declarations, DeclarationsStream }: ExistingTables): void {
  const hasOnlyOne = (Invoices === undefined) !== (Declarations === undefined);
  if (hasOnlyOne) {
    throw new CommandError(
      'Set tables.Invoices and tables.Declarations together, so that each history is as old as its invoice.',
    );
  }
  if (DeclarationsStream !== undefined && !DeclarationsStream.includes(`:table/${Declarations}/`)) {
    throw new CommandError(
      `DeclarationsStream=${DeclarationsStream} is not the ARN of a stream of the table tables.Declarations.`,
    );
  }
}

/** Returns STACK_NAME, or the default name of the stack. Pipelines set variables that they do not use to ''. */
export function getStackName(stage: StageName): string {
  return env['STACK_NAME'] || `SupplierPortalInvoices-${stage}`;
}

/** Returns the folder in a synthesized assembly that contains a folder for the bundle of each function. */
export function getBundleRoot(assembly: string): string {
  return join(assembly, 'bundles');
}

/** Returns the folder in a synthesized assembly that contains the bundle of a function and its source map. */
export function getBundleFolder(assembly: string, name: string): string {
  return join(getBundleRoot(assembly), name);
}

/** Builds the environment of every function. */
export function buildFunctionEnvironment(stage: StageName) {
  return {
    // The issuer and the audience name the stage, so that a token is invalid in another stage, even with the same key.
    TOKEN_ISSUER: `supplier-portal-invoices/${stage}`,
    TOKEN_AUDIENCE: `supplier-portal/${stage}`,
    METRICS_NAMESPACE,
    LOG_LEVEL: 'INFO',
  };
}
