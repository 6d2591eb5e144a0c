import { fileURLToPath } from 'node:url';
import { Duration, Validations } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda';
import { LogLevel, NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import type { Construct } from 'constructs';
import { config } from '../config.ts';
import type { Deployment } from '../options.ts';
import type { FunctionAccess } from '../routes.ts';
import { createLogGroup } from './log-group.ts';
import { allowTableActions, tableEnvironment } from './table-access.ts';
import type { Tables } from './tables.ts';

const architectures = { arm64: Architecture.ARM_64, x86_64: Architecture.X86_64 };

/**
 * What the SDK loads only when it needs it, and never does on Lambda: other ways to find credentials than the
 * environment, and streams of events. In a bundle it would also keep what nothing else uses of the SDK's own parts.
 */
const neverLoaded = [
  '@aws-sdk/credential-provider-http',
  '@aws-sdk/credential-provider-ini',
  '@aws-sdk/credential-provider-login',
  '@aws-sdk/credential-provider-process',
  '@aws-sdk/credential-provider-sso',
  '@aws-sdk/credential-provider-web-identity',
  '@aws-sdk/credential-providers',
  '@smithy/core/event-streams',
  '@smithy/credential-provider-imds',
];

/** How a function is bundled, without the runtime that it is bundled for. */
export const bundling = {
  format: OutputFormat.CJS,
  minify: true,
  logLevel: LogLevel.WARNING,
  // The ES module builds of the dependencies tree-shake: the bundle starts faster.
  mainFields: ['module', 'main'],
  externalModules: neverLoaded,
};

/** Creates the function of functions/<name>.ts, allowed what its row says and nothing else. */
export function createFunction(
  scope: Construct,
  { name, tables: access }: FunctionAccess,
  tables: Tables,
  deployment: Deployment,
): NodejsFunction {
  const { loginConcurrency } = deployment;
  const logGroup = createLogGroup(scope, `${name}-logs`, deployment);
  const role = new Role(scope, `${name}-role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
  logGroup.grantWrite(role);
  allowTableActions(role, tables, access);
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason: 'X-Ray has no resources that could be named: its two Put actions are allowed on all or none.',
  });

  return new NodejsFunction(scope, name, {
    entry: fileURLToPath(new URL(`../../functions/${name}.ts`, import.meta.url)),
    runtime: Runtime.NODEJS_24_X,
    architecture: architectures[deployment.architecture],
    memorySize: deployment.memoryMegabytes[name] ?? deployment.memoryMegabytes.others,
    // The gateway gives up after 29 s; a function ends before that, so that its log tells what happened.
    timeout: Duration.seconds(20),
    ...(name === 'login' && loginConcurrency && { reservedConcurrentExecutions: loginConcurrency }),
    role,
    logGroup,
    tracing: Tracing.ACTIVE,
    environment: {
      ...config.functionEnvironment,
      POWERTOOLS_SERVICE_NAME: deployment.stackName,
      ...tableEnvironment(tables, access),
    },
    awsSdkConnectionReuse: false,
    bundling,
  });
}
