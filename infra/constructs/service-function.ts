import { fileURLToPath } from 'node:url';
import { Duration } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogLevel, NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { config } from '../config.ts';
import type { FunctionAccess } from '../routes.ts';
import { allowTableActions, tableEnvironment } from './table-access.ts';
import type { Tables } from './tables.ts';

/** MB; processor time comes with memory, and these compute argon2: from 1769 on they have a whole processor. */
const memorySizes: Readonly<Record<string, number>> = { login: 1769, 'legacy-dispatch': 1769 };

/** Ways to find credentials that Lambda never uses; the SDK loads them only when it needs them. */
const unusedCredentialProviders = [
  '@aws-sdk/credential-provider-ini',
  '@aws-sdk/credential-provider-login',
  '@aws-sdk/credential-provider-process',
  '@aws-sdk/credential-provider-sso',
  '@aws-sdk/credential-provider-web-identity',
  '@aws-sdk/credential-providers',
];

/** Creates the function of functions/<name>.ts, allowed what its row says and nothing else. */
export function createFunction(scope: Construct, { name, tables: access }: FunctionAccess, tables: Tables) {
  const logGroup = new LogGroup(scope, `${name}-logs`, { retention: RetentionDays.THREE_MONTHS });
  const role = new Role(scope, `${name}-role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
  logGroup.grantWrite(role);
  allowTableActions(role, tables, access);

  return new NodejsFunction(scope, name, {
    entry: fileURLToPath(new URL(`../../functions/${name}.ts`, import.meta.url)),
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    memorySize: memorySizes[name] ?? 1024,
    // The gateway gives up after 29 s; a function ends before that, so that its log tells what happened.
    timeout: Duration.seconds(20),
    role,
    logGroup,
    environment: { ...config.functionEnvironment, ...tableEnvironment(tables, access) },
    awsSdkConnectionReuse: false,
    bundling: {
      format: OutputFormat.CJS,
      minify: true,
      logLevel: LogLevel.WARNING,
      // The ES module builds of the dependencies tree-shake: the bundle starts faster.
      mainFields: ['module', 'main'],
      externalModules: unusedCredentialProviders,
    },
  });
}
