import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { stages } from '../../infra/config.ts';
import { readDeployment } from '../../infra/options.ts';
import { resourcesOfType, theResource } from '../support/stack/stack-template.ts';
import { everyOption, synthesizeVariant, type VariantOptions, warningsOf } from '../support/stack/stack-variants.ts';

// A stage that a deployer adds to infra/config.ts changes no test.
const stageNames = Object.keys(stages).join(', ');
const { domainName, certificateArn, hostedZoneId, hostedZoneName } = everyOption;
const domain = { domainName, certificateArn, hostedZoneId, hostedZoneName };

afterEach(() => vi.unstubAllEnvs());

describe('options', () => {
  it.each([
    [{ stage: 'PROD' }, `-c stage=PROD: not one of ${stageNames}.`],
    [{ architecture: 'x86' }, '-c architecture=x86: not one of arm64, x86_64.'],
    [{ alarmEmail: 'operators' }, '-c alarmEmail=operators: not an e-mail address.'],
    [{ alarmEmail: '' }, '-c alarmEmail=: not an e-mail address.'],
    [{ writeUnitsPerHour: '0' }, '-c writeUnitsPerHour=0: not a whole number from 1 to 999999999.'],
    [{ writeUnitsPerHour: '5e5' }, '-c writeUnitsPerHour=5e5: not a whole number from 1 to 999999999.'],
    [{ loginConcurrency: '0' }, '-c loginConcurrency=0: not a whole number from 1 to 999999999.'],
    [{ waf: 'yes' }, '-c waf=yes: not one of false, true.'],
    [{ docs: 'yes' }, '-c docs=yes: not one of false, true.'],
    [{ gatewayLogRole: '0' }, '-c gatewayLogRole=0: not one of true, false.'],
    [{ domainName }, 'A custom domain also needs certificateArn, hostedZoneId, hostedZoneName.'],
    [{ ...domain, certificateArn: 'abc' }, '-c certificateArn=abc: not the ARN of a certificate.'],
    [
      { ...domain, domainName: 'API.portal.example' },
      '-c domainName=API.portal.example: not a domain name in lower case.',
    ],
    [{ ...domain, hostedZoneId: 'portal' }, '-c hostedZoneId=portal: not the id of a zone, such as Z0123456789ABC.'],
    [
      { ...domain, hostedZoneName: 'tal.example' },
      '-c domainName=api.portal.example: not a name in the zone tal.example.',
    ],
  ])('%j fail in one line', (options: Record<string, string>, message) => {
    expect(() => readDeployment(options)).toThrow(expect.objectContaining({ message }));
  });

  it.each(['stge', 'STAGE', 'alarm-email', 'x'])('named %s end with the names that there are', (name) => {
    const names = ['stage', 'architecture', 'alarmEmail', 'writeUnitsPerHour', ...Object.keys(domain)];
    const others = ['loginConcurrency', 'waf', 'docs', 'gatewayLogRole'];
    const message = `-c ${name}: there is no such option. The options are ${[...names, ...others].join(', ')}.`;
    expect(() => readDeployment({ [name]: 'prod' })).toThrow(expect.objectContaining({ message }));
  });

  it.each([
    ['Portal-prod', 'Portal-prod'],
    ['', 'SupplierPortalInvoices-dev'],
  ])('take the name of the stack from STACK_NAME="%s": %s', (name, stackName) => {
    vi.stubEnv('STACK_NAME', name);
    expect(readDeployment({})).toMatchObject({ stackName });
  });

  it.each(['my stack', '1-stack', 'portal_prod', 'x'.repeat(129)])('fail in one line when STACK_NAME is %s', (name) => {
    vi.stubEnv('STACK_NAME', name);
    const message = `STACK_NAME=${name}: not letters, digits and hyphens, with a letter first.`;
    expect(() => readDeployment({})).toThrow(expect.objectContaining({ message }));
  });

  it('leave tokens their issuer and audience when the variables for them are empty', async () => {
    vi.stubEnv('TOKEN_ISSUER', '');
    vi.stubEnv('TOKEN_AUDIENCE', '');
    vi.resetModules();
    const { config } = await import('../../infra/config.ts');
    expect(config.functionEnvironment).toMatchObject({
      TOKEN_ISSUER: 'supplier-portal-invoices',
      TOKEN_AUDIENCE: 'supplier-portal',
    });
  });

  it('stand beside what the CDK keeps in the same place', () => {
    const context = {
      stage: 'prod',
      'cli-telemetry': false,
      'acknowledged-issue-numbers': [34892],
      'aws:cdk:enable-path-metadata': true,
      '@aws-cdk/core:checkSecretUsage': true,
      'availability-zones:account=123456789012:region=eu-west-1': ['eu-west-1a'],
    };
    expect(readDeployment(context)).toMatchObject({ stackName: 'SupplierPortalInvoices-prod' });
  });

  it('that are wrong end the synthesis with that line alone', async () => {
    const app = fileURLToPath(new URL('../../infra/app.ts', import.meta.url));
    const env = { ...process.env, CDK_CONTEXT_JSON: '{"stage": "PROD"}' };
    const run = promisify(execFile)(process.execPath, [app], { env });
    await expect(run).rejects.toMatchObject({ code: 1, stderr: `-c stage=PROD: not one of ${stageNames}.\n` });
  });

  it('may be booleans, as cdk.json has them', () => {
    expect(synthesizeVariant({ stage: 'dev', waf: true as never }).resourcesOfType('AWS::WAFv2::WebACL')).toHaveLength(
      1,
    );
  });
});

describe('without alarmEmail', () => {
  it('a stage that keeps its data warns that nobody hears of alarms', () => {
    expect(warningsOf({ stage: 'prod' })).toEqual([
      expect.stringMatching(/^Nobody hears of alarms\. Give -c alarmEmail=/),
    ]);
  });

  it.each<VariantOptions>([{ stage: 'prod', alarmEmail: 'operators@portal.example' }, { stage: 'dev' }])(
    '%j does not warn',
    (options) => {
      expect(warningsOf(options)).toEqual([]);
    },
  );
});

describe('without options', () => {
  it('no function takes a part of the concurrency of the account for itself', () => {
    const functions = resourcesOfType<object>('AWS::Lambda::Function');
    expect(functions.filter(({ Properties }) => 'ReservedConcurrentExecutions' in Properties)).toEqual([]);
  });

  it('there is no domain, no web ACL, and nobody who hears of alarms', () => {
    const types = ['AWS::ApiGateway::DomainName', 'AWS::WAFv2::WebACL', 'AWS::SNS::Subscription'];
    expect(types.flatMap((type) => resourcesOfType(type))).toEqual([]);
    expect(resourcesOfType('AWS::Lambda::LayerVersion')).toEqual([]);
    expect(theResource('AWS::ApiGateway::RestApi').Properties).not.toMatchObject({ DisableExecuteApiEndpoint: true });
  });
});

describe('with every option', () => {
  const stack = synthesizeVariant({ stage: 'prod', ...everyOption });

  it('the API answers under its domain only, over TLS 1.2 or newer', () => {
    const api = stack.theResource('AWS::ApiGateway::RestApi');
    const mounted = stack.theResource('AWS::ApiGateway::DomainName');
    expect(api.Properties).toMatchObject({ DisableExecuteApiEndpoint: true });
    expect(mounted.Properties).toEqual({
      DomainName: domainName,
      EndpointConfiguration: { Types: ['REGIONAL'] },
      RegionalCertificateArn: certificateArn,
      SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09',
      EndpointAccessMode: 'STRICT',
    });
    expect(stack.theResource('AWS::ApiGateway::BasePathMapping').Properties).toEqual({
      DomainName: { Ref: mounted.id },
      RestApiId: { Ref: api.id },
      Stage: { Ref: stack.theResource('AWS::ApiGateway::Stage').id },
    });
    expect(stack.outputs['ApiUrl']).toEqual({ Value: `https://${domainName}/` });
  });

  it('the zone points the domain to the API', () => {
    expect(stack.theResource('AWS::Route53::RecordSet').Properties).toMatchObject({
      Name: `${domainName}.`,
      HostedZoneId: hostedZoneId,
      Type: 'A',
      AliasTarget: {
        DNSName: { 'Fn::GetAtt': [stack.theResource('AWS::ApiGateway::DomainName').id, 'RegionalDomainName'] },
      },
    });
  });

  it('a web ACL stands before the stage, and logs neither token nor key', () => {
    const acl = stack.theResource<{ Rules: { Name: string }[] }>('AWS::WAFv2::WebACL');
    expect(acl.Properties.Rules.map(({ Name }) => Name)).toEqual([
      'source-address',
      'login',
      'AWSManagedRulesCommonRuleSet',
      'AWSManagedRulesKnownBadInputsRuleSet',
    ]);
    const WebACLArn = { 'Fn::GetAtt': [acl.id, 'Arn'] };
    const association = stack.theResource('AWS::WAFv2::WebACLAssociation').Properties;
    expect(association).toMatchObject({ WebACLArn });
    expect(JSON.stringify(association)).toContain(stack.theResource('AWS::ApiGateway::Stage').id);
    expect(stack.theResource('AWS::WAFv2::LoggingConfiguration').Properties).toMatchObject({
      ResourceArn: WebACLArn,
      RedactedFields: [{ SingleHeader: { Name: 'authorization' } }, { SingleHeader: { Name: 'x-api-key' } }],
    });
  });

  it('alarms go to the address', () => {
    expect(stack.theResource('AWS::SNS::Subscription').Properties).toEqual({
      Endpoint: everyOption.alarmEmail,
      Protocol: 'email',
      TopicArn: { Ref: stack.theResource('AWS::SNS::Topic').id },
    });
  });

  it('the login has concurrency of its own, and no other function', () => {
    const functions = stack.resourcesOfType<{ ReservedConcurrentExecutions?: number }>('AWS::Lambda::Function');
    const reserved = functions.map(({ path, Properties }) => [path, Properties.ReservedConcurrentExecutions]);
    expect(reserved.filter(([, executions]) => executions !== undefined)).toEqual([['login', 60]]);
  });

  it('the reference page is beside the API, with a limit of its own and no access to any table', () => {
    const paths = stack.resourcesOfType<{ PathPart: string }>('AWS::ApiGateway::Resource');
    expect(paths.map(({ Properties }) => Properties.PathPart)).toEqual(expect.arrayContaining(['docs', '{file+}']));
    const page = stack.theResource<{ Layers: object[]; Environment: { Variables: object } }>(
      'AWS::Lambda::Function',
      'docs',
    );
    expect(page.Properties.Layers).toEqual([{ Ref: stack.theResource('AWS::Lambda::LayerVersion').id }]);
    expect(Object.keys(page.Properties.Environment.Variables).filter((name) => name.includes('TABLE'))).toEqual([]);
    const { MethodSettings } = stack.theResource<{ MethodSettings: Record<string, unknown>[] }>(
      'AWS::ApiGateway::Stage',
    ).Properties;
    const throttled = MethodSettings.filter(({ ResourcePath }) => String(ResourcePath).startsWith('/~1docs'));
    expect(throttled.map(({ ResourcePath, ThrottlingRateLimit }) => [ResourcePath, ThrottlingRateLimit])).toEqual([
      ['/~1docs', 50],
      ['/~1docs~1{file+}', 50],
    ]);
    expect(stack.outputs['DocsUrl']).toEqual({ Value: `https://${domainName}/docs` });
  });

  it('the web ACL has the four rules that the costs in the guide count', () => {
    const { Rules } = stack.theResource<{ Rules: object[] }>('AWS::WAFv2::WebACL').Properties;
    expect(Rules).toHaveLength(4);
  });

  it('the alarm on write units begins where the option says', () => {
    const [alarm] = stack
      .resourcesOfType<{ AlarmName: string; Threshold: number }>('AWS::CloudWatch::Alarm')
      .filter(({ Properties }) => Properties.AlarmName.endsWith('-write-units'));
    expect(alarm?.Properties.Threshold).toBe(2_000_000);
  });

  it("the account's logging role stays as it is", () => {
    expect(stack.resourcesOfType('AWS::ApiGateway::Account')).toEqual([]);
  });
});

describe('with architecture x86_64', () => {
  it('every function is built for it', () => {
    const stack = synthesizeVariant({ stage: 'dev', architecture: 'x86_64' });
    const functions = stack.resourcesOfType<{ Architectures?: string[] }>('AWS::Lambda::Function');
    const built = functions.filter(({ Properties }) => Properties.Architectures);
    expect(built).toHaveLength(8);
    expect(built.filter(({ Properties }) => Properties.Architectures?.[0] !== 'x86_64')).toEqual([]);
  });
});
