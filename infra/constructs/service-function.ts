import { CfnOutput, Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Role, ServicePrincipal, Effect, type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Architecture, Function, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { buildFunctionEnvironment } from '../config.ts';
import type { Deployment } from '../options.ts';
import {
  type FunctionAccess,
  type TableActions,
  type TableArea,
  type TableName,
  type TablePart,
  type TablePartRule,
  tableParts,
} from '../routes.ts';
import { functionCode } from './bundles.ts';
import type { Tables } from './tables.ts';
import { allowKeyUse } from './encryption-key.ts';

const architectures = { arm64: Architecture.ARM_64, x86_64: Architecture.X86_64 };

/** Creates the function of functions/<name>.ts with exactly the permissions of its entry in infra/routes.ts. */
export function createFunction(
  scope: Construct,
  { name, tables: access }: FunctionAccess,
  tables: Tables,
  deployment: Deployment,
): Function {
  const { loginConcurrency } = deployment;
  const logGroup = createLogGroup(scope, `${name}-logs`, deployment);
  new CfnOutput(scope, `${toPascalCase(name)}Logs`, { value: logGroup.logGroupName });
  const role = new Role(scope, `${name}-role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
  logGroup.grantWrite(role);
  allowTableActions(role, tables, access);
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason: 'X-Ray has no resources that could be named: its two Put actions are allowed on all or none.',
  });

  return new Function(scope, name, {
    code: functionCode(scope, name),
    handler: 'index.handler',
    runtime: Runtime.NODEJS_24_X,
    architecture: architectures[deployment.architecture],
    memorySize: deployment.memoryMegabytes[name] ?? deployment.memoryMegabytes.others,
    // The timeout of the gateway is 29 s. The function ends before that, so that its log contains the error.
    timeout: Duration.seconds(20),
    ...(name === 'login' && loginConcurrency && { reservedConcurrentExecutions: loginConcurrency }),
    role,
    logGroup,
    tracing: Tracing.ACTIVE,
    environment: {
      ...buildFunctionEnvironment(deployment.stage),
      POWERTOOLS_SERVICE_NAME: deployment.stackName,
      ...tableEnvironment(tables, access),
    },
  });
}

const toPascalCase = (name: string) => name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());

/**
 * Creates a log group with the retention time of the stage, which outlives the stack if the stage keeps its data. By
 * default, CloudFormation generates its name.
 */
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

/** Allows a function exactly the given actions, and the use of a table's encryption key if they need it. */
function allowTableActions({ grantPrincipal }: IGrantable, tables: Tables, access: TableActions): void {
  for (const [area, actions] of Object.entries(access) as [TableArea, readonly string[]][]) {
    const name = getTableName(area);
    for (const action of actions) grantPrincipal.addToPrincipalPolicy(statement(tables, area, action));

    const { encryptionKey } = tables[name];
    if (encryptionKey) allowKeyUse(encryptionKey, grantPrincipal, { canWrite: actions.includes('PutItem') });
  }
}

/** Returns the environment variables with the names of a function's tables, for example RATE_COUNTERS_TABLE. */
function tableEnvironment(tables: Tables, access: TableActions): Record<string, string> {
  const names = (Object.keys(access) as TableArea[]).map(getTableName);
  return Object.fromEntries(names.map((name) => [buildVariableName(name), tables[name].tableName]));
}

function getTableName(area: TableArea): TableName {
  return area.split('/')[0] as TableName;
}

function statement(tables: Tables, area: TableArea, action: string): PolicyStatement {
  return new PolicyStatement({
    effect: Effect.ALLOW,
    actions: [`dynamodb:${action}`],
    resources: [tables[getTableName(area)].tableArn],
    ...(area in tableParts && { conditions: buildConditions(area as TablePart, action) }),
  });
}

function buildConditions(part: TablePart, action: string) {
  const { partitions, updates = [] }: TablePartRule = tableParts[part];
  const ofUpdate = action === 'UpdateItem' && updates !== 'any' && { 'dynamodb:Attributes': updates };
  return {
    'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions, ...ofUpdate },
    // Otherwise, an update could return attributes that it must not read.
    ...(ofUpdate && { StringEqualsIfExists: { 'dynamodb:ReturnValues': ['NONE'] } }),
  };
}

function buildVariableName(table: TableName): string {
  return `${table.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()}_TABLE`;
}
