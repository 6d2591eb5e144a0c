import { CfnOutput, Size, Validations } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { AnyPrincipal, Effect, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { ApiGatewayDomain } from 'aws-cdk-lib/aws-route53-targets';
import type { Construct } from 'constructs';
import { type Deployment, GATEWAY_STAGE, LIVE_ALIAS } from '../config.ts';
import { GATEWAY_RESPONSES } from '../gateway-errors.ts';
import { routes } from '../routes.ts';
import type { CustomDomain, Throttling } from '../stages.ts';
import { listPagePaths, listPages, publishPage } from './pages.ts';
import { createFunction, createLogGroup } from './service-function.ts';
import type { Tables } from './tables.ts';
import { addWebAcl } from './web-acl.ts';
import { RESPONSE_HEADERS } from '../../lib/http/responses.ts';

/** TLS 1.2 or newer, only for the host name of the TLS handshake. By default, a regional API accepts TLS 1.0. */
const TRANSPORT_SECURITY = {
  securityPolicy: apigateway.SecurityPolicy.TLS13_1_2_PFS_PQ_2025_09,
  endpointAccessMode: apigateway.EndpointAccessMode.STRICT,
} as const;

/** Responses of endpoints are smaller, so that only the files of pages are compressed. */
const MIN_COMPRESSION_SIZE = Size.kibibytes(128);

/**
 * A JSON line for each request. `requestId` is the id that clients receive as X-Request-Id. `error` is the type of a
 * response of the gateway itself; for all other responses, `error` is "-". The line contains no text of the client. The
 * requested path could contain a secret, so `path` is the path of the route. A user agent could forge a line.
 */
const ACCESS_LOG_FORMAT = apigateway.AccessLogFormat.custom(
  JSON.stringify({
    requestId: '$context.requestId',
    requestTime: '$context.requestTime',
    sourceIp: '$context.identity.sourceIp',
    method: '$context.httpMethod',
    path: '$context.resourcePath',
    status: '$context.status',
    error: '$context.error.responseType',
    latencyMs: '$context.responseLatency',
    integrationLatencyMs: '$context.integrationLatency',
    responseBytes: '$context.responseLength',
    tlsVersion: '$context.tlsVersion',
  }),
);

export type InvoiceApi = ReturnType<typeof createInvoiceApi>;

/** Creates the API with its functions and logs, and with the optional parts of the deployment. */
export function createInvoiceApi(scope: Construct, tables: Tables, deployment: Deployment) {
  const { domain, waf } = deployment;
  const accessLogs = createLogGroup(scope, 'access-logs', deployment);
  new CfnOutput(scope, 'AccessLogs', {
    value: accessLogs.logGroupName,
    description: 'The log group with a line for each request to the API.',
  });
  const api = createRestApi(scope, accessLogs, deployment);
  const { functions, aliases } = addRoutes(scope, api, tables, deployment);
  const url = domain ? `https://${domain.domainName}/` : api.url;
  for (const page of listPages(deployment)) {
    publishPage(scope, api, page, createFunction(scope, page, tables, deployment), url);
  }
  addGatewayResponses(api);
  const ruleExceptions = Object.entries(listRuleExceptions(waf)).map(([id, reason]) => ({ id, reason }));
  Validations.of(api).acknowledge(...ruleExceptions);
  if (domain) addCustomDomain(api, domain);
  if (waf) addWebAcl(scope, api, deployment);
  return { url, stage: api.deploymentStage, accessLogs, functions, aliases };
}

function createRestApi(scope: Construct, accessLogs: ILogGroup, deployment: Deployment): apigateway.RestApi {
  const { stackName, domain, gatewayLogRole } = deployment;
  const api = new apigateway.RestApi(scope, 'InvoiceApi', {
    // CloudWatch distinguishes APIs only by name.
    restApiName: stackName,
    endpointTypes: [apigateway.EndpointType.REGIONAL],
    // The functions receive bodies as bytes. In a string, the gateway would replace invalid UTF-8 with other characters.
    binaryMediaTypes: ['application/json'],
    // The gateway compresses the scripts of the pages, for example the script of the reference page from 4.9 to 1.4 MB.
    ...(listPages(deployment).length > 0 && { minCompressionSize: MIN_COMPRESSION_SIZE }),
    disableExecuteApiEndpoint: domain !== undefined,
    policy: createResourcePolicy(),
    cloudWatchRole: gatewayLogRole,
    deployOptions: { stageName: GATEWAY_STAGE, ...buildStageOptions(deployment, accessLogs) },
  });
  // The construct has no options for these two properties yet.
  Object.assign(api.node.defaultChild as apigateway.CfnRestApi, TRANSPORT_SECURITY);
  // Otherwise, the gateway would create this group itself, without an expiry.
  const executionLogs = `API-Gateway-Execution-Logs_${api.restApiId}/${GATEWAY_STAGE}`;
  api.deploymentStage.node.addDependency(createLogGroup(scope, 'execution-logs', deployment, executionLogs));
  // The construct adds an output, which would duplicate the output ApiUrl of the stack.
  api.node.tryRemoveChild('Endpoint');
  return api;
}

/** Creates the policy of the API. Everyone can call the API, but not over plain HTTP. */
function createResourcePolicy(): PolicyDocument {
  const calls = { principals: [new AnyPrincipal()], actions: ['execute-api:Invoke'], resources: ['execute-api:/*'] };
  return new PolicyDocument({
    statements: [
      new PolicyStatement({ ...calls, effect: Effect.ALLOW }),
      new PolicyStatement({ ...calls, effect: Effect.DENY, conditions: { Bool: { 'aws:SecureTransport': 'false' } } }),
    ],
  });
}

function buildStageOptions(deployment: Deployment, accessLogs: ILogGroup): apigateway.StageOptions {
  const { throttling, methodThrottling } = deployment;
  const pageRoutes = listPages(deployment).flatMap((page) =>
    listPagePaths(page).map((path) => ({ name: page.name, method: 'GET', path })),
  );
  // The options of a method replace all options of the stage, not only the throttling.
  const methodOptions: Record<string, apigateway.MethodDeploymentOptions> = {};
  for (const { name, method, path } of [...routes, ...pageRoutes]) {
    const limit = methodThrottling[name];
    if (limit) methodOptions[`${path}/${method}`] = buildMethodOptions(limit);
  }
  return {
    ...buildMethodOptions(throttling),
    methodOptions,
    accessLogDestination: new apigateway.LogGroupLogDestination(accessLogs),
    accessLogFormat: ACCESS_LOG_FORMAT,
  };
}

function buildMethodOptions({ requestsPerSecond, burst }: Throttling): apigateway.MethodDeploymentOptions {
  return {
    throttlingRateLimit: requestsPerSecond,
    throttlingBurstLimit: burst,
    loggingLevel: apigateway.MethodLoggingLevel.ERROR,
    dataTraceEnabled: false,
  };
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
  // The gateway requires fixed values in single quotes.
  const headers = Object.fromEntries(Object.entries(RESPONSE_HEADERS).map(([name, value]) => [name, `'${value}'`]));
  for (const { types, status, body } of GATEWAY_RESPONSES) {
    for (const type of types) {
      api.addGatewayResponse(type, {
        type: apigateway.ResponseType.of(type),
        statusCode: String(status),
        responseHeaders: {
          'X-Request-Id': 'context.requestId',
          ...headers,
          ...(status === 429 && { 'Retry-After': "'1'" }),
        },
        templates: { 'application/json': JSON.stringify(body) },
      });
    }
  }
}

/** Lists the rules of cdk-nag that the API breaks on purpose. The keys are the ids of the rules, the values the reasons. */
function listRuleExceptions(waf: boolean): Record<string, string> {
  return {
    'AwsSolutions-APIG2':
      'The functions validate requests, because a response names all invalid properties, which the gateway cannot do.',
    'AwsSolutions-APIG4':
      'The functions verify token and API key, because the interface has a separate response for each failure.',
    'AwsSolutions-COG4': 'The service issues and verifies its own tokens. Therefore it has no user pool.',
    'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]':
      "This managed policy is what AWS documents for the gateway's account-wide logging role.",
    ...(!waf && {
      'AwsSolutions-APIG3':
        'A web ACL is an option. All routes except login require two credentials, and login limits attempts by source address.',
    }),
  };
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
