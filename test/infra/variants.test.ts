import { describe, expect, it } from 'vitest';
import { getStackName, stages as stageConfigs } from '../../infra/config.ts';
import { routes } from '../../infra/routes.ts';
import { PORTAL_POLICIES } from '../../lib/access/policies.ts';
import { requestUnits } from '../support/guides/readme.ts';
import { everyOption, synthesizeVariant, variantOf } from '../support/stack/stack-variants.ts';

type Throttled = Readonly<Record<'ResourcePath' | 'HttpMethod', string> & Record<string, unknown>>;

const tableType = 'AWS::DynamoDB::Table';
const logType = 'AWS::Logs::LogGroup';
const apiType = 'AWS::ApiGateway::RestApi';
const aclType = 'AWS::WAFv2::WebACL';
const functionType = 'AWS::Lambda::Function';
const kept = { DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' };
const dropped = { DeletionPolicy: 'Delete', UpdateReplacePolicy: 'Delete' };
const refTo = ({ id }: { readonly id: string }) => ({ Ref: id });

const settingsOf = ({ Properties }: { readonly Properties: unknown }) =>
  (Properties as { MethodSettings: Throttled[] }).MethodSettings;

const dev = await variantOf({ stage: 'dev' });
const { resourcesOfType: devResources } = dev;
const everyOptionOfDev = await variantOf({ stage: 'dev', ...everyOption, architecture: 'x86_64' });
const withoutOptions = await variantOf({ stage: 'prod' });
const stack = await variantOf({ stage: 'prod', ...everyOption });
const stages = { dev, prod: withoutOptions };
const { domainName, certificateArn, hostedZoneId } = everyOption;
const gatewayStage = stack.theResource('AWS::ApiGateway::Stage');

describe('cdk-nag', () => {
  it.each([
    ['stage dev', dev],
    ['stage dev and every option', everyOptionOfDev],
    ['stage prod', withoutOptions],
    ['stage prod and every option', stack],
  ])('finds nothing with %s', (_, { brokenRules }) => {
    expect(brokenRules).toEqual([]);
  });

  it('finds an open bucket', { tags: 'long' }, async () => {
    const { Bucket } = await import('aws-cdk-lib/aws-s3');
    const openBucket = await synthesizeVariant(
      { stage: 'dev' },
      (app) => new Bucket(app.node.findChild(getStackName('dev')), 'Open'),
    );
    expect(openBucket.brokenRules).toContain('AwsSolutions-S10');
  });
});

describe('stage prod', () => {
  it('keeps its tables, its logs for 90 days, and the key of the signing keys, and lets nobody delete a table', () => {
    const { resourcesOfType, theResource } = withoutOptions;
    for (const table of resourcesOfType(tableType))
      expect(table).toMatchObject({ ...kept, Properties: { DeletionProtectionEnabled: true } });
    for (const log of resourcesOfType(logType))
      expect(log).toMatchObject({ ...kept, Properties: { RetentionInDays: 90 } });
    expect(theResource('AWS::KMS::Key', 'SigningKeysEncryption')).toMatchObject(kept);
  });

  it('lets through 500 requests a second, less where passwords are checked, and sets all else there as everywhere', () => {
    const settings = settingsOf(withoutOptions.theResource('AWS::ApiGateway::Stage'));
    expect(settings.map(({ ResourcePath, ThrottlingRateLimit }) => [ResourcePath, ThrottlingRateLimit])).toEqual([
      ['/*', 500],
      ['/~1apidev~1v1~1login', 50],
      ['/~1apidev~1legacy~1{WSName}', 100],
    ]);
    // A method's settings replace those of the stage as a whole.
    for (const each of settings) {
      expect(each).toMatchObject({ LoggingLevel: 'ERROR', DataTraceEnabled: false });
      expect(each['MetricsEnabled']).toBeUndefined();
    }
  });

  it('leaves two thirds of the 1000 concurrent executions of an account to those who have logged in', () => {
    const { login, 'legacy-dispatch': legacy } = stageConfigs.prod.methodThrottling;
    const taken = login.requestsPerSecond + login.burst + legacy.requestsPerSecond + legacy.burst;
    expect(taken).toBeLessThanOrEqual(1000 / 3);
  });

  it('gives a new version of each function a tenth of its requests for five minutes, and takes it back at an alarm', () => {
    const { resourcesOfType, theResource } = withoutOptions;
    // The API calls nothing but the aliases.
    const methods = JSON.stringify(resourcesOfType('AWS::ApiGateway::Method'));
    for (const { name } of routes) {
      const deciding = ['server-errors', `${name}-errors`, `${name}-latency`];
      const release = theResource('AWS::CodeDeploy::DeploymentGroup', `${name}-release`);
      expect(release.Properties).toMatchObject({
        DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent5Minutes',
        AutoRollbackConfiguration: { Enabled: true, Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM'] },
        AlarmConfiguration: {
          Alarms: deciding.map((alarm) => ({ Name: refTo(theResource('AWS::CloudWatch::Alarm', `${alarm}-alarm`)) })),
        },
      });
      const alias = theResource('AWS::Lambda::Alias', `${name}-live`);
      const update = { CodeDeployLambdaAliasUpdate: { DeploymentGroupName: refTo(release) } };
      expect(alias).toMatchObject({ UpdatePolicy: update });
      expect(methods).toContain(`"${alias.id}"`);
      expect(methods).not.toContain(`"${theResource(functionType, name).id}"`);
    }
    expect(devResources('AWS::Lambda::Alias')).toEqual([]);
  });

  it('grants exactly what stage dev grants', () => {
    const policiesIn = (list: readonly { id: string; Properties: unknown }[]) =>
      list.map(({ id, Properties }) => [id, Properties]);
    const type = 'AWS::IAM::Policy';
    expect(policiesIn(withoutOptions.resourcesOfType(type))).toEqual(policiesIn(devResources(type)));
  });
});

describe('each stage', () => {
  it.each(['dev', 'prod'] as const)(
    'an update of a stack of another stage than %s is rejected: the template allows its own stage alone in a parameter that a stack keeps',
    (stage) => {
      const { parameters, outputs } = stages[stage];
      expect(parameters['Stage']).toMatchObject({ Type: 'String', Default: stage, AllowedValues: [stage] });
      expect(outputs['DeployedStage']).toEqual({ Value: { Ref: 'Stage' } });
    },
  );

  it.each(['dev', 'prod'] as const)('every function of %s has the issuer and audience of its stage', (stage) => {
    const functions = stages[stage].resourcesOfType<{ Environment?: { Variables: object } }>(functionType);
    const variables = functions.flatMap(({ Properties }) => Properties.Environment?.Variables ?? []);
    const own = variables.filter((one) => 'TOKEN_ISSUER' in one);
    expect(own).toHaveLength(routes.length + 1);
    const expected = { TOKEN_ISSUER: `supplier-portal-invoices/${stage}`, TOKEN_AUDIENCE: `supplier-portal/${stage}` };
    for (const one of own) expect(one).toMatchObject(expected);
  });
});

describe('stage dev', () => {
  it('deletes its tables with the stack, and leaves nothing behind but the logging role of the account', () => {
    for (const table of devResources(tableType))
      expect(table).toMatchObject({ ...dropped, Properties: { DeletionProtectionEnabled: false } });
    const left = dev.resources.filter((one) => (one as Partial<typeof kept>).DeletionPolicy === 'Retain');
    expect(left.map(({ path }) => path)).toEqual(['InvoiceApi/CloudWatchRole', 'InvoiceApi/Account']);
  });
});

describe('without options', () => {
  it('a stage that keeps its data warns that no one is subscribed to the alarm topic', () => {
    const warning = expect.stringMatching(/^No one is subscribed to the alarm topic\. Pass -c alarmEmail=/);
    expect(withoutOptions.warnings).toEqual([warning]);
    expect([dev.warnings, stack.warnings]).toEqual([[], []]);
  });

  it('there is no domain, no web ACL, no page, nobody who hears of alarms, and no concurrency of its own', () => {
    const types = ['AWS::ApiGateway::DomainName', aclType, 'AWS::SNS::Subscription', 'AWS::Lambda::LayerVersion'];
    expect(types.flatMap((type) => devResources(type))).toEqual([]);
    expect(dev.theResource(apiType).Properties).not.toMatchObject({ DisableExecuteApiEndpoint: true });
    const functions = devResources<object>(functionType);
    expect(functions.filter(({ Properties }) => 'ReservedConcurrentExecutions' in Properties)).toEqual([]);
  });
});

describe('with every option', () => {
  it('the API answers under its domain only, to which the zone points, over TLS 1.2 or newer', () => {
    const api = stack.theResource(apiType);
    const mounted = stack.theResource('AWS::ApiGateway::DomainName');
    expect(api.Properties).toMatchObject({ DisableExecuteApiEndpoint: true });
    const security = { SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09', EndpointAccessMode: 'STRICT' };
    const Properties = { DomainName: domainName, RegionalCertificateArn: certificateArn, ...security };
    expect(mounted).toMatchObject({ Properties });
    const mapping = { DomainName: refTo(mounted), RestApiId: refTo(api), Stage: refTo(gatewayStage) };
    expect(stack.theResource('AWS::ApiGateway::BasePathMapping').Properties).toEqual(mapping);
    expect(stack.theResource('AWS::Route53::RecordSet').Properties).toMatchObject({
      ...{ Name: `${domainName}.`, HostedZoneId: hostedZoneId, Type: 'A' },
      AliasTarget: { DNSName: { 'Fn::GetAtt': [mounted.id, 'RegionalDomainName'] } },
    });
    expect(stack.outputs['ApiUrl']).toEqual({ Value: `https://${domainName}/` });
  });

  it('API Gateway may invoke the functions from the deployed stage only, and not from the test console', () => {
    const permissions = stack.resourcesOfType<{ Principal: string; SourceArn: object }>('AWS::Lambda::Permission');
    const sources = permissions.flatMap(({ Properties }) =>
      Properties.Principal === 'apigateway.amazonaws.com' ? [JSON.stringify(Properties.SourceArn)] : [],
    );
    expect(sources).toHaveLength(stack.resourcesOfType('AWS::ApiGateway::Method').length);
    expect(sources.filter((source) => !source.includes(`"${gatewayStage.id}"`))).toEqual([]);
  });

  it('a web ACL stands before the stage, with the five rules that the costs in the guide count, and logs neither token nor key', () => {
    const acl = stack.theResource<{ Rules: { Name: string; Priority: number }[] }>(aclType);
    expect(acl.Properties.Rules.map(({ Priority }) => Priority)).toEqual([0, 1, 2, 3, 4]);
    const WebACLArn = { 'Fn::GetAtt': [acl.id, 'Arn'] };
    const association = stack.theResource('AWS::WAFv2::WebACLAssociation').Properties;
    expect(association).toMatchObject({ WebACLArn });
    expect(JSON.stringify(association)).toContain(gatewayStage.id);
    expect(stack.theResource('AWS::WAFv2::LoggingConfiguration').Properties).toMatchObject({
      ResourceArn: WebACLArn,
      RedactedFields: [{ SingleHeader: { Name: 'authorization' } }, { SingleHeader: { Name: 'x-api-key' } }],
    });
  });

  it.each([
    ['the login', 'login', '/v1/login', 300],
    // Five users, each at the limits of both groups for 5 minutes.
    ['the legacy route', 'legacy', '/legacy/', 5 * 5 * (PORTAL_POLICIES.read.limit + PORTAL_POLICIES.write.limit)],
  ])('the web ACL has a limit of its own for %s, however its path is written', (_, rule, SearchString, Limit) => {
    const { Rules: rules } = stack.theResource<{ Rules: { Name: string }[] }>(aclType).Properties;
    expect(routes.map(({ path }) => path).filter((path) => path.includes(SearchString))).toHaveLength(1);
    const TextTransformations = [{ Type: 'URL_DECODE' }, { Type: 'LOWERCASE' }];
    const ByteMatchStatement = { PositionalConstraint: 'CONTAINS', SearchString, TextTransformations };
    const limit = { AggregateKeyType: 'IP', Limit, ScopeDownStatement: { ByteMatchStatement } };
    const blocks = { Action: { Block: {} }, Statement: { RateBasedStatement: limit } };
    expect(rules.find(({ Name }) => Name === rule)).toMatchObject(blocks);
  });

  it("the login has concurrency of its own, no other function has, and the account's logging role stays", () => {
    const functions = stack.resourcesOfType<object>(functionType);
    const reserving = functions.filter(({ Properties }) => 'ReservedConcurrentExecutions' in Properties);
    expect(reserving).toMatchObject([{ path: 'login', Properties: { ReservedConcurrentExecutions: 60 } }]);
    expect(stack.resourcesOfType('AWS::ApiGateway::Account')).toEqual([]);
  });

  it('the reference page is beside the API, with a limit of its own and no access to any table', () => {
    const paths = stack.resourcesOfType<{ PathPart: string }>('AWS::ApiGateway::Resource');
    expect(paths.map(({ Properties }) => Properties.PathPart)).toEqual(expect.arrayContaining(['docs', '{file+}']));
    const page = stack.theResource<{ Environment: { Variables: object } }>(functionType, 'docs').Properties;
    expect(page).toMatchObject({ Layers: [refTo(stack.theResource('AWS::Lambda::LayerVersion'))] });
    expect(Object.keys(page.Environment.Variables).filter((name) => name.includes('TABLE'))).toEqual([]);
    const limits = settingsOf(gatewayStage).filter(({ ResourcePath }) => ResourcePath.startsWith('/~1docs'));
    expect(limits).toMatchObject([{ ThrottlingRateLimit: 50 }, { ThrottlingRateLimit: 50 }]);
    expect(stack.outputs['DocsUrl']).toEqual({ Value: `https://${domainName}/docs` });
  });

  it('the gateway compresses responses from 1 MiB on only if the reference page is published', () => {
    expect(stack.theResource(apiType).Properties).toMatchObject({ MinimumCompressionSize: 1_048_576 });
    expect(withoutOptions.theResource(apiType).Properties).not.toHaveProperty('MinimumCompressionSize');
  });
});

describe('alarms', () => {
  const alarmType = 'AWS::CloudWatch::Alarm';
  interface Alarm {
    readonly AlarmName: string;
    readonly Metrics?: readonly object[];
    readonly Threshold: number;
  }
  const alarms = withoutOptions.resourcesOfType<Alarm>(alarmType).map(({ Properties }) => Properties);

  it('are there in dev only where somebody hears of them, and then without those of the latest versions', () => {
    expect(devResources(alarmType)).toEqual([]);
    const monitored = everyOptionOfDev.resourcesOfType(alarmType);
    expect(monitored).toHaveLength(stack.resourcesOfType(alarmType).length - routes.length);
  });

  it('watch the 49 metrics that the costs in the guide count', () => {
    const metrics = alarms.flatMap(({ Metrics = [{ MetricStat: {} }] }) => Metrics);
    expect(metrics.filter((metric) => 'MetricStat' in metric)).toHaveLength(49);
  });

  it('begin, for writes, above three times what 10,000 suppliers write in an hour of work, and before one user alone writes for an hour; or where the option says', () => {
    const units = requestUnits();
    const writes = (name: string) => units[name]?.writeUnits ?? Number.NaN;
    // A month of a supplier, as under "Costs" in the guide.
    const calls = {
      ...{ login: 22, 'list-invoices': 110, 'get-invoice': 200 },
      ...{ 'declare-invoice': 50, 'declare-batch': 2, import: 4 },
    };
    const month = Object.entries(calls).reduce((sum, [name, count]) => sum + count * writes(name), 0);
    const ordinary = (10_000 * month) / (22 * 8);
    // Ten batches of 100 a minute: as four of 25, with one count.
    const batch = 4 * (writes('declare-batch') - 1) + 1;
    const { Threshold } = alarms.find(({ AlarmName }) => AlarmName.endsWith('-write-units')) ?? {};
    expect(Threshold).toBeGreaterThan(3 * ordinary);
    expect(Threshold).toBeLessThan(10 * 60 * batch);
    const chosen = stack.theResource(alarmType, 'write-units-alarm').Properties;
    expect(chosen).toMatchObject({ Threshold: Number(everyOption.writeUnitsPerHour) });
  });
});

it('with architecture x86_64 every function is built for it', () => {
  const functions = everyOptionOfDev.resourcesOfType<object>(functionType);
  const built = functions.flatMap(({ Properties }) => ('Architectures' in Properties ? Properties.Architectures : []));
  expect(built).toEqual(Array(10).fill('x86_64'));
});
