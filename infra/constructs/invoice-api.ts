import { CfnOutput, Validations } from 'aws-cdk-lib';
import {
  type CfnRestApi,
  EndpointAccessMode,
  EndpointType,
  LambdaIntegration,
  RestApi,
  SecurityPolicy,
  type Stage,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { AnyPrincipal, Effect, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Alias, type Function, type IFunction, type IVersion } from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { ApiGatewayDomain } from 'aws-cdk-lib/aws-route53-targets';
import type { Construct } from 'constructs';
import type { CustomDomain, Deployment } from '../options.ts';
import { routes } from '../routes.ts';
import { addGatewayResponses } from './gateway-responses.ts';
import { createLogGroup } from './log-group.ts';
import { publishDocs } from './published-docs.ts';
import { createFunction } from './service-function.ts';
import { GATEWAY_STAGE, LIVE_ALIAS } from './service-metrics.ts';
import { stageOptions } from './stage-options.ts';
import type { Tables } from './tables.ts';
import { addWebAcl } from './web-acl.ts';

/**
 * TLS 1.2 or newer, with forward secrecy, and only under the host name that the connection was opened for; a regional
 * API takes TLS 1.0 by default.
 */
const transportSecurity = {
  securityPolicy: SecurityPolicy.TLS13_1_2_PFS_PQ_2025_09,
  endpointAccessMode: EndpointAccessMode.STRICT,
} as const;

/** The API as its clients see it, and the parts of it that can be watched. */
export interface InvoiceApi {
  readonly url: string;
  readonly stage: Stage;
  readonly accessLogs: ILogGroup;
  /** The functions behind the routes, by name. */
  readonly functions: Readonly<Record<string, Function>>;
  /** What the API calls in their place where new versions are tried first, by the same names; else empty. */
  readonly aliases: Readonly<Record<string, Alias>>;
}

/** Creates the REST API with one function for each route. */
export function createInvoiceApi(scope: Construct, tables: Tables, deployment: Deployment): InvoiceApi {
  const { stackName, domain, waf, docs, canary, gatewayLogRole } = deployment;
  const accessLogs = createLogGroup(scope, 'access-logs', deployment);
  new CfnOutput(scope, 'AccessLogs', { value: accessLogs.logGroupName });
  const api = new RestApi(scope, 'InvoiceApi', {
    // CloudWatch tells APIs apart by their names only.
    restApiName: stackName,
    endpointTypes: [EndpointType.REGIONAL],
    // Handed on byte by byte: as text, a body that is not UTF-8 would reach the functions with other characters in it.
    binaryMediaTypes: ['application/json'],
    disableExecuteApiEndpoint: domain !== undefined,
    policy: callers(),
    cloudWatchRole: gatewayLogRole,
    deployOptions: { stageName: GATEWAY_STAGE, ...stageOptions(deployment, accessLogs) },
  });
  // The construct does not know these two properties yet.
  Object.assign(api.node.defaultChild as CfnRestApi, transportSecurity);
  // The gateway would create this group itself, and keep it for ever.
  const executionLogs = `API-Gateway-Execution-Logs_${api.restApiId}/${GATEWAY_STAGE}`;
  api.deploymentStage.node.addDependency(createLogGroup(scope, 'execution-logs', deployment, executionLogs));
  // The construct adds an output of its own; the stack has ApiUrl.
  api.node.tryRemoveChild('Endpoint');

  const functions: Record<string, Function> = {};
  const aliases: Record<string, Alias> = {};
  for (const { name, method, path, tables: access } of routes) {
    const handler = createFunction(scope, { name, tables: access }, tables, deployment);
    functions[name] = handler;
    if (canary) {
      const version = handler.currentVersion as IVersion;
      aliases[name] = new Alias(scope, `${name}-${LIVE_ALIAS}`, { aliasName: LIVE_ALIAS, version });
    }
    const called = (aliases[name] ?? handler) as IFunction;
    const integration = new LambdaIntegration(called, { allowTestInvoke: false });
    api.root.resourceForPath(path).addMethod(method, integration);
  }
  const url = domain ? `https://${domain.domainName}/` : api.url;
  if (docs) publishDocs(scope, api, url, tables, deployment);
  addGatewayResponses(api);
  acknowledgeFindings(api, deployment);
  if (domain) addCustomDomain(api, domain);
  if (waf) addWebAcl(scope, api, deployment);
  return { url, stage: api.deploymentStage, accessLogs, functions, aliases };
}

/** Who may call the API: everybody, but not over plain HTTP. */
function callers(): PolicyDocument {
  const all = { principals: [new AnyPrincipal()], actions: ['execute-api:Invoke'], resources: ['execute-api:/*'] };
  return new PolicyDocument({
    statements: [
      new PolicyStatement({ ...all, effect: Effect.ALLOW }),
      new PolicyStatement({ ...all, effect: Effect.DENY, conditions: { Bool: { 'aws:SecureTransport': 'false' } } }),
    ],
  });
}

/** Mounts the API at the root of a domain, and points the domain to it. */
function addCustomDomain(api: RestApi, custom: CustomDomain): void {
  const { domainName, certificateArn, hostedZoneId, hostedZoneName: zoneName } = custom;
  const domain = api.addDomainName('CustomDomain', {
    domainName,
    certificate: Certificate.fromCertificateArn(api, 'Certificate', certificateArn),
    endpointType: EndpointType.REGIONAL,
    ...transportSecurity,
  });
  new ARecord(api, 'Alias', {
    zone: HostedZone.fromHostedZoneAttributes(api, 'Zone', { hostedZoneId, zoneName }),
    recordName: domainName,
    target: RecordTarget.fromAlias(new ApiGatewayDomain(domain)),
  });
}

const FINDINGS = {
  'AwsSolutions-APIG2':
    'The functions validate requests: the interface names every invalid property at once, the gateway cannot.',
  'AwsSolutions-APIG4':
    'The functions verify token and API key, because each failure has an answer of its own in the interface.',
  'AwsSolutions-COG4': 'The service issues and verifies its own tokens; there is no user pool.',
  'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]':
    "This managed policy is what AWS documents for the gateway's account-wide logging role.",
};
const FINDING_WITHOUT_WAF = {
  'AwsSolutions-APIG3':
    'A web ACL is an option: two credentials guard every route but login, which limits attempts by source address itself.',
};

function acknowledgeFindings(api: RestApi, { waf }: Deployment): void {
  const findings = Object.entries({ ...FINDINGS, ...(!waf && FINDING_WITHOUT_WAF) });
  Validations.of(api).acknowledge(...findings.map(([id, reason]) => ({ id, reason })));
}
