/** A custom domain of the API, with its certificate and its hosted zone. */
export interface CustomDomain {
  readonly domainName: string;
  readonly certificateArn: string;
  readonly hostedZoneId: string;
  readonly hostedZoneName: string;
}

/** A table whose data cannot be created again. RateCounters and SigningKeys can start empty. */
export type RecoverableTable = 'Directory' | 'Invoices' | 'Declarations';

/** The names of existing tables, such as restored tables or replicas, by the name of the table in the stack. */
export type ExistingTables = { readonly [Table in RecoverableTable]?: string | undefined } & {
  /** The ARN of the stream of the table Declarations, which the option `events` needs. */
  readonly DeclarationsStream?: string | undefined;
};

/** The options of a stage. infra/README.md explains those without a comment here, and their defaults. */
export interface StageOptions {
  /** The AWS account and the region of the stack. The defaults are the account and the region of the credentials. */
  readonly account?: string;
  readonly region?: string;
  /** The region of a replica of Directory, Invoices and Declarations. */
  readonly replicaRegion?: string;
  /** The existing tables that the stack uses instead of creating its own. */
  readonly tables?: ExistingTables;
  /** Tags of the stack, which CloudFormation adds to all resources. */
  readonly tags?: Readonly<Record<string, string>>;
  readonly alarmEmail?: string;
  readonly canary?: boolean;
  readonly domain?: CustomDomain;
  readonly waf?: boolean;
  readonly docs?: boolean;
  readonly clerkPage?: boolean;
  readonly events?: boolean;
  readonly loginConcurrency?: number;
  readonly architecture?: 'arm64' | 'x86_64';
  readonly gatewayLogRole?: boolean;
}

/** The options of each stage. A stage that keeps its data needs an entry with an account and a region. */
export const STAGE_OPTIONS: StageOptionsTable = {
  dev: {},
};

/** The name of a stage. STAGES at the end of this file contains them. */
export type StageName = keyof typeof STAGES;
export type StageOptionsTable = Readonly<Partial<Record<StageName, StageOptions>>>;

/** The maximum rate of requests through the gateway, of all callers together. */
export interface Throttling {
  readonly requestsPerSecond: number;
  readonly burst: number;
}

/** The settings of a stage. Options can change only `monitored`, `canary` and `waf`. */
export interface StageSettings {
  readonly logRetentionDays: number;
  readonly throttling: Throttling;
  /** The limits of single routes, by name. */
  readonly methodThrottling: Readonly<Record<string, Throttling>>;
  /** True if tables, logs and the encryption key outlive the stack, and stack and tables are protected from deletion. */
  readonly keepData: boolean;
  /** True if the stage has alarms and a dashboard. */
  readonly monitored: boolean;
  /** True if a new version first receives a tenth of the requests. It receives all requests only if no alarm starts. */
  readonly canary: boolean;
  /** True if a web ACL limits each address. */
  readonly waf: boolean;
}

/** The settings of each stage, by the name that `-c stage=` takes. A new stage also needs an entry in STAGE_OPTIONS. */
export const STAGES = {
  dev: {
    logRetentionDays: 7,
    throttling: { requestsPerSecond: 50, burst: 100 },
    methodThrottling: {},
    keepData: false,
    monitored: false,
    canary: false,
    waf: false,
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
      'declare-page': { requestsPerSecond: 50, burst: 50 },
    },
    keepData: true,
    monitored: true,
    canary: true,
    waf: true,
  },
} satisfies Readonly<Record<string, StageSettings>>;
