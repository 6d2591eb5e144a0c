import { describe, expect, it } from 'vitest';
import { routes } from '../../infra/routes.ts';
import { PORTAL_POLICIES } from '../../lib/domain/policies.ts';
import { everyOption, getVariant, prodOptions } from '../support/stack/stack-variants.ts';

type Throttled = Readonly<Record<'ResourcePath' | 'HttpMethod', string> & Record<string, unknown>>;

const tableType = 'AWS::DynamoDB::GlobalTable';
const logType = 'AWS::Logs::LogGroup';
const apiType = 'AWS::ApiGateway::RestApi';
const aclType = 'AWS::WAFv2::WebACL';
const functionType = 'AWS::Lambda::Function';
const retained = { DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' };
const deleted = { DeletionPolicy: 'Delete', UpdateReplacePolicy: 'Delete' };
const createRef = ({ id }: { readonly id: string }) => ({ Ref: id });

const getMethodSettings = ({ Properties }: { readonly Properties: unknown }) =>
  (Properties as { MethodSettings: Throttled[] }).MethodSettings;

const dev = await getVariant({ stage: 'dev' });
const { findResources: devResources } = dev;
const everyOptionOfDev = await getVariant({ stage: 'dev', ...everyOption, architecture: 'x86_64' });
const withoutOptions = await getVariant({ stage: 'prod' });
const stack = await getVariant({ stage: 'prod', ...everyOption });
const stages = { dev, prod: withoutOptions };
const { domainName, certificateArn, hostedZoneId } = everyOption.domain;
const gatewayStage = stack.getResource('AWS::ApiGateway::Stage');

it.each([
  ['stage dev', dev],
  ['stage dev and every option', everyOptionOfDev],
  ['stage prod', withoutOptions],
  ['stage prod and every option', stack],
])('cdk-nag finds no violation in %s', (_, { brokenRules }) => {
  expect(brokenRules).toEqual([]);
});

describe('stage prod', () => {
  it('stage prod retains its tables, logs (90 days, except those of the web ACL) and encryption key, and protects its tables from deletion', () => {
    const { findResources, getResource } = withoutOptions;
    for (const table of findResources(tableType))
      expect(table).toMatchObject({ ...retained, Properties: { Replicas: [{ DeletionProtectionEnabled: true }] } });
    for (const log of findResources(logType).filter(({ path }) => path !== 'waf-logs'))
      expect(log).toMatchObject({ ...retained, Properties: { RetentionInDays: 90 } });
    expect(getResource('AWS::KMS::Key', 'SigningKeysEncryption')).toMatchObject(retained);
  });

  it('stage prod is in its account and region, protected from deletion, and tagged', () => {
    const tags = { service: 'supplier-portal-invoices', stage: 'prod' };
    expect(stack.stack).toEqual({ environment: 'aws://123456789012/eu-west-1', isProtected: true, tags });
    expect(dev.stack).toMatchObject({ environment: 'aws://unknown-account/unknown-region', isProtected: false });
  });

  it('stage prod allows 500 requests per second, and fewer to routes that check passwords', () => {
    const settings = getMethodSettings(withoutOptions.getResource('AWS::ApiGateway::Stage'));
    expect(settings.map(({ ResourcePath, ThrottlingRateLimit }) => [ResourcePath, ThrottlingRateLimit])).toEqual([
      ['/*', 500],
      ['/~1apidev~1v1~1login', 50],
      ['/~1apidev~1legacy~1{WSName}', 100],
    ]);
    // The settings of a method replace all settings of the stage, so they must repeat these.
    for (const each of settings) {
      expect(each).toMatchObject({ LoggingLevel: 'ERROR', DataTraceEnabled: false });
      expect(each['MetricsEnabled']).toBeUndefined();
    }
  });

  it('stage prod sends a tenth of the requests to a new version for five minutes, and rolls it back on an alarm', () => {
    const { findResources, getResource } = withoutOptions;
    // The API must call the aliases and not the functions.
    const methods = JSON.stringify(findResources('AWS::ApiGateway::Method'));
    for (const { name } of routes) {
      const names = ['server-errors', `${name}-errors`, `${name}-latency`];
      const release = getResource('AWS::CodeDeploy::DeploymentGroup', `${name}-release`);
      expect(release.Properties).toMatchObject({
        DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent5Minutes',
        AutoRollbackConfiguration: { Enabled: true, Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM'] },
        AlarmConfiguration: {
          Alarms: names.map((alarm) => ({ Name: createRef(getResource('AWS::CloudWatch::Alarm', `${alarm}-alarm`)) })),
        },
      });
      const alias = getResource('AWS::Lambda::Alias', `${name}-live`);
      const update = { CodeDeployLambdaAliasUpdate: { DeploymentGroupName: createRef(release) } };
      expect(alias).toMatchObject({ UpdatePolicy: update });
      expect(methods).toContain(`"${alias.id}"`);
      expect(methods).not.toContain(`"${getResource(functionType, name).id}"`);
    }
    expect(devResources('AWS::Lambda::Alias')).toEqual([]);
  });

  it('stage prod grants exactly the permissions that stage dev grants', () => {
    const listPolicies = (list: readonly { id: string; Properties: unknown }[]) =>
      list.map(({ id, Properties }) => [id, Properties]);
    const type = 'AWS::IAM::Policy';
    // The template of dev names no region.
    const serviceOfDev = { 'Fn::Join': ['', ['dynamodb.', { Ref: 'AWS::Region' }, '.amazonaws.com']] };
    const policiesOfDev = JSON.stringify(listPolicies(devResources(type)));
    const service = JSON.stringify(`dynamodb.${prodOptions.region}.amazonaws.com`);
    const expected = JSON.parse(policiesOfDev.replaceAll(JSON.stringify(serviceOfDev), service));
    expect(listPolicies(withoutOptions.findResources(type))).toEqual(expected);
  });
});

it.each(['dev', 'prod'] as const)(
  'the template of %s cannot update a stack of another stage, because its parameter Stage allows only its own',
  (stage) => {
    const { parameters, outputs } = stages[stage];
    expect(parameters['Stage']).toMatchObject({ Type: 'String', Default: stage, AllowedValues: [stage] });
    expect(outputs['DeployedStage']).toMatchObject({ Value: { Ref: 'Stage' } });
  },
);

it.each(['dev', 'prod'] as const)('every function of %s has the issuer and audience of its stage', (stage) => {
  const functions = stages[stage].findResources<{ Environment?: { Variables: object } }>(functionType);
  const variables = functions.flatMap(({ Properties }) => Properties.Environment?.Variables ?? []);
  const own = variables.filter((each) => 'TOKEN_ISSUER' in each);
  expect(own).toHaveLength(routes.length + 1);
  const expected = { TOKEN_ISSUER: `supplier-portal-invoices/${stage}`, TOKEN_AUDIENCE: `supplier-portal/${stage}` };
  for (const each of own) expect(each).toMatchObject(expected);
});

it('stage dev deletes its tables with the stack, and retains only the logging role of the account', () => {
  for (const table of devResources(tableType))
    expect(table).toMatchObject({ ...deleted, Properties: { Replicas: [{ DeletionProtectionEnabled: false }] } });
  const remaining = dev.resources.filter((one) => (one as Partial<typeof retained>).DeletionPolicy === 'Retain');
  expect(remaining.map(({ path }) => path)).toEqual(['InvoiceApi/CloudWatchRole', 'InvoiceApi/Account']);
});

it('a stage that keeps its data warns that no one is subscribed to the alarm topic', () => {
  const warning = expect.stringMatching(
    /^No one is subscribed to the alarm topic\. Set alarmEmail in infra\/stages\.ts, /,
  );
  expect(withoutOptions.warnings).toEqual([warning]);
  expect([dev.warnings, stack.warnings]).toEqual([[], []]);
});

it('without options the stack has no domain, web ACL, reference page, subscriber or reserved concurrency', () => {
  const types = ['AWS::ApiGateway::DomainName', aclType, 'AWS::SNS::Subscription', 'AWS::Lambda::LayerVersion'];
  expect(types.flatMap((type) => devResources(type))).toEqual([]);
  expect(dev.getResource(apiType).Properties).not.toMatchObject({ DisableExecuteApiEndpoint: true });
  const functions = devResources<object>(functionType);
  expect(functions.filter(({ Properties }) => 'ReservedConcurrentExecutions' in Properties)).toEqual([]);
});

describe('with every option', () => {
  it('the API responds only under its domain, which has a DNS record and requires TLS 1.2 or newer', () => {
    const api = stack.getResource(apiType);
    const mounted = stack.getResource('AWS::ApiGateway::DomainName');
    expect(api.Properties).toMatchObject({ DisableExecuteApiEndpoint: true });
    const security = { SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09', EndpointAccessMode: 'STRICT' };
    const Properties = { DomainName: domainName, RegionalCertificateArn: certificateArn, ...security };
    expect(mounted).toMatchObject({ Properties });
    const mapping = { DomainName: createRef(mounted), RestApiId: createRef(api), Stage: createRef(gatewayStage) };
    expect(stack.getResource('AWS::ApiGateway::BasePathMapping').Properties).toEqual(mapping);
    expect(stack.getResource('AWS::Route53::RecordSet').Properties).toMatchObject({
      ...{ Name: `${domainName}.`, HostedZoneId: hostedZoneId, Type: 'A' },
      AliasTarget: { DNSName: { 'Fn::GetAtt': [mounted.id, 'RegionalDomainName'] } },
    });
    expect(stack.outputs['ApiUrl']).toMatchObject({ Value: `https://${domainName}/` });
  });

  it('API Gateway can invoke the functions only from the deployed stage, and not from the test console', () => {
    const permissions = stack.findResources<{ Principal: string; SourceArn: object }>('AWS::Lambda::Permission');
    const sources = permissions.flatMap(({ Properties }) =>
      Properties.Principal === 'apigateway.amazonaws.com' ? [JSON.stringify(Properties.SourceArn)] : [],
    );
    expect(sources).toHaveLength(stack.findResources('AWS::ApiGateway::Method').length);
    expect(sources.filter((source) => !source.includes(`"${gatewayStage.id}"`))).toEqual([]);
  });

  it('the web ACL protects the stage with the five rules that the guide counts, and logs neither tokens nor keys', () => {
    const acl = stack.getResource<{ Rules: { Name: string; Priority: number }[] }>(aclType);
    expect(acl.Properties.Rules.map(({ Priority }) => Priority)).toEqual([0, 1, 2, 3, 4]);
    const WebACLArn = { 'Fn::GetAtt': [acl.id, 'Arn'] };
    const association = stack.getResource('AWS::WAFv2::WebACLAssociation').Properties;
    expect(association).toMatchObject({ WebACLArn });
    expect(JSON.stringify(association)).toContain(gatewayStage.id);
    expect(stack.getResource('AWS::WAFv2::LoggingConfiguration').Properties).toMatchObject({
      ResourceArn: WebACLArn,
      RedactedFields: [{ SingleHeader: { Name: 'authorization' } }, { SingleHeader: { Name: 'x-api-key' } }],
    });
  });

  it.each([
    ['the login', 'login', '/v1/login', 300],
    // Five users, each at the limits of both groups for 5 minutes.
    ['the legacy route', 'legacy', '/legacy/', 5 * 5 * (PORTAL_POLICIES.read.limit + PORTAL_POLICIES.write.limit)],
  ])('the web ACL has its own limit for %s, for any spelling of its path', (_, rule, SearchString, Limit) => {
    const { Rules: rules } = stack.getResource<{ Rules: { Name: string }[] }>(aclType).Properties;
    expect(routes.map(({ path }) => path).filter((path) => path.includes(SearchString))).toHaveLength(1);
    const TextTransformations = [{ Type: 'URL_DECODE' }, { Type: 'LOWERCASE' }];
    const ByteMatchStatement = { PositionalConstraint: 'CONTAINS', SearchString, TextTransformations };
    const limit = { AggregateKeyType: 'IP', Limit, ScopeDownStatement: { ByteMatchStatement } };
    const blocks = { Action: { Block: {} }, Statement: { RateBasedStatement: limit } };
    expect(rules.find(({ Name }) => Name === rule)).toMatchObject(blocks);
  });

  it("only the login has reserved concurrency, and the stack does not set the account's logging role", () => {
    const functions = stack.findResources<object>(functionType);
    const reserving = functions.filter(({ Properties }) => 'ReservedConcurrentExecutions' in Properties);
    expect(reserving).toMatchObject([{ path: 'login', Properties: { ReservedConcurrentExecutions: 60 } }]);
    expect(stack.findResources('AWS::ApiGateway::Account')).toEqual([]);
  });

  it.each([
    ['docs', 'docs', 'DocsUrl'],
    ['declare-page', 'declare', 'DeclarePageUrl'],
  ])('the page of the function %s is a part of the API, with its own rate limit and no access to tables', (...page) => {
    const [name, path, output] = page;
    const paths = stack.findResources<{ PathPart: string }>('AWS::ApiGateway::Resource');
    expect(paths.map(({ Properties }) => Properties.PathPart)).toEqual(expect.arrayContaining([path, '{file+}']));
    const { Properties } = stack.getResource<{ Environment: { Variables: object } }>(functionType, name);
    const layer = stack.getResource('AWS::Lambda::LayerVersion', `${name}-files`);
    expect(Properties).toMatchObject({ Layers: [createRef(layer)] });
    expect(Object.keys(Properties.Environment.Variables).filter((variable) => variable.includes('TABLE'))).toEqual([]);
    const limits = getMethodSettings(gatewayStage).filter(({ ResourcePath }) => ResourcePath.startsWith(`/~1${path}`));
    expect(limits).toMatchObject([{ ThrottlingRateLimit: 50 }, { ThrottlingRateLimit: 50 }]);
    expect(stack.outputs[output]).toMatchObject({ Value: `https://${domainName}/${path}` });
  });
});

const alarmType = 'AWS::CloudWatch::Alarm';
it('stage dev has alarms only if someone is subscribed, and no alarms of single functions', () => {
  expect(devResources(alarmType)).toEqual([]);
  const monitored = everyOptionOfDev.findResources(alarmType);
  expect(monitored).toHaveLength(stack.findResources(alarmType).length - 2 * routes.length);
});

it('with architecture x86_64 every function is built for it', () => {
  const functions = everyOptionOfDev.findResources<object>(functionType);
  const built = functions.flatMap(({ Properties }) => ('Architectures' in Properties ? Properties.Architectures : []));
  expect(built).toEqual(Array(12).fill('x86_64'));
});
