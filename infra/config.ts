import { env } from 'node:process';

/** What a deployment may set from outside; the defaults are what `npm start` runs with. */
export const config = {
  stackName: env['STACK_NAME'] ?? 'SupplierPortalInvoices',
  /** Variables that every function sees beside the names of its tables. */
  functionEnvironment: {
    TOKEN_ISSUER: env['TOKEN_ISSUER'] ?? 'supplier-portal-invoices',
    TOKEN_AUDIENCE: env['TOKEN_AUDIENCE'] ?? 'supplier-portal',
    POWERTOOLS_SERVICE_NAME: 'supplier-portal-invoices',
    POWERTOOLS_METRICS_NAMESPACE: 'SupplierPortal',
    POWERTOOLS_LOG_LEVEL: 'INFO',
  },
} as const;

/** Where a machine without AWS finds its DynamoDB: a running engine (the SDK's own variable), or another binary to start. */
export const localEngine = {
  endpoint: env['AWS_ENDPOINT_URL_DYNAMODB'],
  binary: env['DYNOXIDE_BIN'],
} as const;
