import { CfnOutput, CfnResource, Duration, RemovalPolicy, type Stack } from 'aws-cdk-lib';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Trigger } from 'aws-cdk-lib/triggers';
import type { Construct } from 'constructs';
import { LIMITS } from '../../lib/domain/limits.ts';
import { buildFunctionEnvironment, type Deployment } from '../config.ts';
import { type FunctionAccess, signingKeyRotation, type TableActions } from '../routes.ts';
import { getFunctionCode } from './bundles.ts';
import { allowTableActions, listTableActions } from './table-permissions.ts';
import type { Tables } from './tables.ts';

const DEFAULT_MEMORY_MEGABYTES = 1024;
/** The memory of the functions that compute argon2. With 1769 MB, Lambda allocates a whole CPU. */
const MEMORY_MEGABYTES: Readonly<Record<string, number>> = { login: 1769, 'legacy-dispatch': 1769 };
const ARCHITECTURES = { arm64: lambda.Architecture.ARM_64, x86_64: lambda.Architecture.X86_64 };

/** Creates the function of functions/<name>.ts with only the permissions of its entry in infra/routes.ts. */
export function createFunction(
  scope: Construct,
  { name, tables: tableActions }: FunctionAccess,
  tables: Tables,
  deployment: Deployment,
): lambda.Function {
  const logGroup = createLogGroup(scope, `${name}-logs`, deployment);
  new CfnOutput(scope, `${toPascalCase(name)}Logs`, {
    value: logGroup.logGroupName,
    description: `The log group of the function ${name}.`,
  });
  const role = new Role(scope, `${name}-role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
  logGroup.grantWrite(role);
  allowTableActions(role, tables, tableActions);
  const reservedConcurrency = name === 'login' ? deployment.loginConcurrency : undefined;

  return new lambda.Function(scope, name, {
    code: getFunctionCode(scope, name),
    handler: 'index.handler',
    runtime: lambda.Runtime.NODEJS_24_X,
    architecture: ARCHITECTURES[deployment.architecture],
    memorySize: MEMORY_MEGABYTES[name] ?? DEFAULT_MEMORY_MEGABYTES,
    // A function writes only until its timeout. Therefore the timeout is also the longest time after which a change becomes
    // visible, which the guide states. The gateway waits longer (29 s), so that the log contains the error.
    timeout: Duration.seconds(LIMITS.changeDelaySeconds),
    ...(reservedConcurrency !== undefined && { reservedConcurrentExecutions: reservedConcurrency }),
    role,
    logGroup,
    environment: {
      ...buildFunctionEnvironment(deployment.stage),
      SERVICE_NAME: deployment.stackName,
      ...buildTableVariables(tables, tableActions),
    },
  });
}

/** Converts the name of a function to the form of the names of outputs: `declare-batch` to `DeclareBatch`. */
function toPascalCase(name: string): string {
  return name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Creates a log group, which outlives the stack if the stage keeps its data. By default, its name is generated. */
export function createLogGroup(
  scope: Construct,
  id: string,
  { logRetentionDays, keepData }: Deployment,
  logGroupName?: string,
): LogGroup {
  return new LogGroup(scope, id, {
    ...(logGroupName && { logGroupName }),
    retention: logRetentionDays,
    removalPolicy: keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
}

/** Builds the environment variables with the names of tables, for example `RATE_COUNTERS_TABLE`. */
function buildTableVariables(tables: Tables, tableActions: TableActions): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const { tableName } of listTableActions(tableActions)) {
    const words = tableName.replaceAll(/[a-z](?=[A-Z])/g, '$&_');
    variables[`${words.toUpperCase()}_TABLE`] = tables[tableName].tableName;
  }
  return variables;
}

export type SigningKeyRotation = ReturnType<typeof createSigningKeyRotation>;

/** Creates the function that replaces a signing key at the age of 30 days. It runs daily, and once in a deployment. */
export function createSigningKeyRotation(scope: Construct, tables: Tables, deployment: Deployment) {
  const handler = createFunction(scope, signingKeyRotation, tables, deployment);
  // A stack without a signing key could not issue tokens. Therefore the deployment waits for the first run.
  const firstRun = new Trigger(scope, 'EnsureSigningKey', { handler });
  new Rule(scope, 'RotateSigningKey', {
    schedule: Schedule.rate(Duration.days(1)),
    // The function reads `rotate` from its event. Without it, the function replaces only an old key.
    targets: [new LambdaFunction(handler, { event: RuleTargetInput.fromObject({}) })],
  });
  return { handler, firstRun };
}

/** Gives the functions that the CDK adds for custom resources a log group, so that their logs expire. */
export function addCustomResourceLogs(stack: Stack, deployment: Deployment): void {
  const resources = stack.node.findAll().filter((node) => CfnResource.isCfnResource(node));
  const functions = resources.filter((resource) => resource.cfnResourceType === 'AWS::Lambda::Function');
  // The CDK creates its own functions as resources without a class, and ours as CfnFunction.
  const handlers = functions.filter((resource) => !(resource instanceof lambda.CfnFunction));
  if (handlers.length === 0) return;
  const { logGroupName } = createLogGroup(stack, 'custom-resource-logs', deployment);
  for (const handler of handlers) handler.addPropertyOverride('LoggingConfig', { LogGroup: logGroupName });
}
