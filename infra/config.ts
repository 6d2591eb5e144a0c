import { env } from 'node:process';

/** How many requests the gateway lets through, counted over all callers. */
export interface Throttling {
  readonly requestsPerSecond: number;
  readonly burst: number;
}

/** What distinguishes the stages of the service. */
export interface StageConfig {
  /** By function; `others` for those that have no entry. */
  readonly memoryMegabytes: { readonly others: number; readonly [name: string]: number };
  readonly logRetentionDays: number;
  readonly throttling: Throttling;
  /** For routes that have limits of their own, by name. */
  readonly methodThrottling: { readonly [route: string]: Throttling };
  /**
   * Whether tables, logs and the encryption key of the signing keys outlive the stack, and the tables refuse to be
   * deleted.
   */
  readonly keepData: boolean;
  /** Whether alarms and a dashboard watch it. */
  readonly watched: boolean;
  /** Whether a new version gets a tenth of the requests first, and the others only if no alarm begins meanwhile. */
  readonly canary: boolean;
}

// Processor time comes with memory, and these two compute argon2: from 1769 MB on they have a whole processor.
const memoryMegabytes = { login: 1769, 'legacy-dispatch': 1769, others: 1024 };

/** The stages, by the name that `-c stage=` takes. A further stage is a further entry. */
export const stages = {
  dev: {
    memoryMegabytes,
    logRetentionDays: 7,
    throttling: { requestsPerSecond: 50, burst: 100 },
    methodThrottling: {},
    keepData: false,
    watched: false,
    canary: false,
  },
  prod: {
    memoryMegabytes,
    logRetentionDays: 90,
    // Half of the 1000 concurrent executions that an account has, if every request took a second.
    throttling: { requestsPerSecond: 500, burst: 1000 },
    // Whoever has no account can make these functions compute argon2. If each such request took a second, as one that
    // starts a function does, both together would hold 300 of the 1000 executions; 10,000 suppliers log in 0.3 times a
    // second.
    methodThrottling: {
      login: { requestsPerSecond: 50, burst: 50 },
      'legacy-dispatch': { requestsPerSecond: 100, burst: 100 },
      // A page is some ten requests, and browsers keep what they got.
      docs: { requestsPerSecond: 50, burst: 50 },
    },
    keepData: true,
    watched: true,
    canary: true,
  },
} as const satisfies Readonly<Record<string, StageConfig>>;

export type StageName = keyof typeof stages;

/** What is deployed without `-c stage=`; `npm start` and the tests run it. */
export const DEFAULT_STAGE = 'dev' satisfies StageName;

/** A variable of the environment; a pipeline sets those that it has no value for to an empty text. */
function given(variable: string): string | undefined {
  return env[variable] === '' ? undefined : env[variable];
}

/** The name of a stage's stack: an account may hold both. */
export function stackNameOf(stage: StageName): string {
  return given('STACK_NAME') ?? `SupplierPortalInvoices-${stage}`;
}

/** What a deployment may set from outside; the defaults are what `npm start` runs with. */
export const config = {
  /** Variables that every function sees beside the names of its stack and tables. */
  functionEnvironment: {
    TOKEN_ISSUER: given('TOKEN_ISSUER') ?? 'supplier-portal-invoices',
    TOKEN_AUDIENCE: given('TOKEN_AUDIENCE') ?? 'supplier-portal',
    POWERTOOLS_METRICS_NAMESPACE: 'SupplierPortal',
    POWERTOOLS_LOG_LEVEL: 'INFO',
  },
} as const;
