import { CfnOutput, Validations } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { ApiGatewayDomain } from 'aws-cdk-lib/aws-route53-targets';
import type { Construct } from 'constructs';
import type { Deployment } from '../config.ts';
import { GATEWAY_RESPONSES } from '../gateway-errors.ts';
import { routes } from '../routes.ts';
import type { CustomDomain } from '../stages.ts';
import { listPages, publishPage } from './pages.ts';
import { createRestApi, TRANSPORT_SECURITY } from './rest-api.ts';
import { createFunction, createLogGroup } from './service-function.ts';
import type { Tables } from './tables.ts';
import { addWebAcl } from './web-acl.ts';
import { RESPONSE_HEADERS } from '../../lib/http/responses.ts';

/** The alias of each function with canary deployments. The API calls this alias, not the function itself. */
const LIVE_ALIAS = 'live';

export type InvoiceApi = ReturnType<typeof createInvoiceApi>;

/** Creates the API with its functions and logs, and with the optional parts of the deployment. */
export function createInvoiceApi(scope: Construct, tables: Tables, deployment: Deployment) {
  const { domain, waf } = deployment;
  const accessLogs = createLogGroup(scope, 'access-logs', deployment);
  new CfnOutput(scope, 'AccessLogs', {
    value: accessLogs.logGroupName,
    description: 'The log group with a line for each request to the API.',
  });
  const pages = listPages(deployment);
  const api = createRestApi(scope, accessLogs, pages, deployment);
  const { functions, aliases } = addRoutes(scope, api, tables, deployment);
  const url = domain ? `https://${domain.domainName}/` : api.url;
  for (const page of pages) publishPage(scope, api, page, createFunction(scope, page, tables, deployment), url);
  addGatewayResponses(api);
  acknowledgeRules(api, waf);
  if (domain) addCustomDomain(api, domain);
  if (waf) addWebAcl(scope, api, deployment);
  return { url, stage: api.deploymentStage, accessLogs, functions, aliases };
}

/** Adds each route with its function. With canary deployments, the API calls an alias in place of the function. */
function addRoutes(scope: Construct, api: apigateway.RestApi, tables: Tables, deployment: Deployment) {
  const functions: Record<string, lambda.Function> = {};
  const aliases: Record<string, lambda.Alias> = {};
  for (const { name, method, path, tables: access } of routes) {
    const handler = createFunction(scope, { name, tables: access }, tables, deployment);
    functions[name] = handler;
    if (deployment.canary) {
      const version = handler.currentVersion as lambda.IVersion;
      aliases[name] = new lambda.Alias(scope, `${name}-${LIVE_ALIAS}`, { aliasName: LIVE_ALIAS, version });
    }
    // The casts are needed because the types of the CDK do not allow for exactOptionalPropertyTypes.
    const target = (aliases[name] ?? handler) as lambda.IFunction;
    const integration = new apigateway.LambdaIntegration(target, { allowTestInvoke: false });
    api.root.resourceForPath(path).addMethod(method, integration);
  }
  return { functions, aliases };
}

/** Gives the responses of the gateway itself the envelope, the request id and the headers of all other responses. */
function addGatewayResponses(api: apigateway.RestApi): void {
  // The gateway requires fixed values in single quotes. The other value is a variable of the gateway.
  const headers: Record<string, string> = { 'X-Request-Id': 'context.requestId' };
  for (const [name, value] of Object.entries(RESPONSE_HEADERS)) headers[name] = `'${value}'`;
  for (const { types, status, body } of GATEWAY_RESPONSES) {
    for (const type of types) {
      api.addGatewayResponse(type, {
        type: apigateway.ResponseType.of(type),
        statusCode: String(status),
        responseHeaders: status === 429 ? { ...headers, 'Retry-After': "'1'" } : headers,
        templates: { 'application/json': JSON.stringify(body) },
      });
    }
  }
}

/** Acknowledges the rules of cdk-nag that the API breaks on purpose, each with the reason. */
function acknowledgeRules(api: apigateway.RestApi, waf: boolean): void {
  const acknowledge = (id: string, reason: string) => Validations.of(api).acknowledge({ id, reason });
  acknowledge('AwsSolutions-APIG2', 'The functions validate requests. Their responses name all invalid properties.');
  acknowledge('AwsSolutions-APIG4', 'The functions verify token and API key, with a response for each failure.');
  acknowledge('AwsSolutions-COG4', 'The service issues and verifies its own tokens. Therefore it has no user pool.');
  acknowledge(
    'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
    "This managed policy is what AWS documents for the gateway's account-wide logging role.",
  );
  if (waf) return;
  acknowledge(
    'AwsSolutions-APIG3',
    'A web ACL is an option. All routes except login require two credentials, and login limits attempts by source address.',
  );
}

function addCustomDomain(api: apigateway.RestApi, customDomain: CustomDomain): void {
  const { domainName, certificateArn, hostedZoneId, hostedZoneName: zoneName } = customDomain;
  const domain = api.addDomainName('CustomDomain', {
    domainName,
    certificate: Certificate.fromCertificateArn(api, 'Certificate', certificateArn),
    endpointType: apigateway.EndpointType.REGIONAL,
    ...TRANSPORT_SECURITY,
  });
  new ARecord(api, 'Alias', {
    zone: HostedZone.fromHostedZoneAttributes(api, 'Zone', { hostedZoneId, zoneName }),
    recordName: domainName,
    target: RecordTarget.fromAlias(new ApiGatewayDomain(domain)),
  });
}
