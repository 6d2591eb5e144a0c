import { env } from 'node:process';

/** The maximum rate of requests through the gateway, of all callers together. */
export interface Throttling {
  readonly requestsPerSecond: number;
  readonly burst: number;
}

export interface StageConfig {
  /** The memory by function; `others` applies to functions without an entry. */
  readonly memoryMegabytes: { readonly others: number; readonly [name: string]: number };
  readonly logRetentionDays: number;
  readonly throttling: Throttling;
  /** The limits of single routes, by name. */
  readonly methodThrottling: { readonly [route: string]: Throttling };
  /**
   * True if tables, logs and the encryption key of the signing keys outlive the stack, and the tables are protected
   * from deletion.
   */
  readonly keepData: boolean;
  /** True if the stage has alarms and a dashboard. */
  readonly monitored: boolean;
  /** True if a new version first receives a tenth of the requests, and all only if no alarm starts. */
  readonly canary: boolean;
}

// Lambda allocates CPU in proportion to memory. These two compute argon2, and have a whole CPU from 1769 MB on.
const memoryMegabytes = { login: 1769, 'legacy-dispatch': 1769, others: 1024 };

/** The stages, by the name that `-c stage=` takes. A further stage is a further entry. */
export const stages = {
  dev: {
    memoryMegabytes,
    logRetentionDays: 7,
    throttling: { requestsPerSecond: 50, burst: 100 },
    methodThrottling: {},
    keepData: false,
    monitored: false,
    canary: false,
  },
  prod: {
    memoryMegabytes,
    logRetentionDays: 90,
    // Half of the 1000 concurrent executions that an account has, if every request took a second.
    throttling: { requestsPerSecond: 500, burst: 1000 },
    // Callers without an account can make these functions compute argon2. If each request takes a second, as with a cold
    // start, both together use 300 of the 1000 executions. 10,000 suppliers log in 0.3 times a
    // second.
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
} as const satisfies Readonly<Record<string, StageConfig>>;

export type StageName = keyof typeof stages;

/** The stage without `-c stage=`, which `npm start` and the tests run. */
export const DEFAULT_STAGE = 'dev' satisfies StageName;

/** Reads an environment variable; an empty one counts as not set, because pipelines set unused variables to ''. */
function readVariable(variable: string): string | undefined {
  return env[variable] === '' ? undefined : env[variable];
}

/** Returns the name of a stage's stack. An account can contain the stacks of several stages. */
export function stackNameOf(stage: StageName): string {
  return readVariable('STACK_NAME') ?? `SupplierPortalInvoices-${stage}`;
}

export const METRICS_NAMESPACE = 'SupplierPortal';

export const GATEWAY_STAGE = 'live';

/** The alias of functions with canary deployments, which the API calls. */
export const LIVE_ALIAS = 'live';

/**
 * Returns the environment variables of every function of a stage, except the names of its stack and tables. Issuer and
 * audience contain the stage, so that a token of one stage is invalid in all others, even if they shared a key.
 */
export function buildFunctionEnvironment(stage: StageName) {
  return {
    TOKEN_ISSUER: readVariable('TOKEN_ISSUER') ?? `supplier-portal-invoices/${stage}`,
    TOKEN_AUDIENCE: readVariable('TOKEN_AUDIENCE') ?? `supplier-portal/${stage}`,
    POWERTOOLS_METRICS_NAMESPACE: METRICS_NAMESPACE,
    POWERTOOLS_LOG_LEVEL: 'INFO',
  };
}
