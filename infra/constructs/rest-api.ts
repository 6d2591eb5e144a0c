import { Size } from 'aws-cdk-lib';
import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import { AnyPrincipal, Effect, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { type Deployment, GATEWAY_STAGE } from '../config.ts';
import { routes } from '../routes.ts';
import type { Throttling } from '../stages.ts';
import { listPageRoutes, type PublishedPage } from './pages.ts';
import { createLogGroup } from './service-function.ts';

/** TLS 1.2 or newer, only for the host name of the TLS handshake. By default, a regional API accepts TLS 1.0. */
export const TRANSPORT_SECURITY = {
  securityPolicy: apigateway.SecurityPolicy.TLS13_1_2_PFS_PQ_2025_09,
  endpointAccessMode: apigateway.EndpointAccessMode.STRICT,
} as const;

/**
 * The size from which the gateway compresses a response. Only files of pages are larger, for example the script of the
 * reference page, which is compressed from 4.9 to 1.4 MB.
 */
const MIN_COMPRESSION_SIZE = Size.kibibytes(128);

/**
 * A JSON line for each request. `requestId` is the id that clients receive as X-Request-Id. `error` is the type of a
 * response of the gateway itself, or "-" for the response of a function. The line contains no text of the client: `path` is
 * the path of the route, because a requested path can contain a secret. A user agent could contain a forged line.
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

/** Creates the API of the service, without its routes. */
export function createRestApi(
  scope: Construct,
  accessLogs: ILogGroup,
  pages: readonly PublishedPage[],
  deployment: Deployment,
): apigateway.RestApi {
  const { stackName, domain, gatewayLogRole } = deployment;
  const api = new apigateway.RestApi(scope, 'InvoiceApi', {
    // CloudWatch distinguishes APIs only by name.
    restApiName: stackName,
    endpointTypes: [apigateway.EndpointType.REGIONAL],
    // Functions receive bodies of this type as bytes. In a string, the gateway would replace invalid UTF-8.
    binaryMediaTypes: ['application/json'],
    ...(pages.length > 0 ? { minCompressionSize: MIN_COMPRESSION_SIZE } : {}),
    disableExecuteApiEndpoint: domain !== undefined,
    policy: createResourcePolicy(),
    cloudWatchRole: gatewayLogRole,
    deployOptions: { stageName: GATEWAY_STAGE, ...buildStageOptions(accessLogs, pages, deployment) },
  });
  // The construct RestApi has no options for these two properties yet.
  Object.assign(api.node.defaultChild as apigateway.CfnRestApi, TRANSPORT_SECURITY);
  // The log group is created before the stage. The gateway would create a missing group itself, without an expiry.
  const executionLogs = `API-Gateway-Execution-Logs_${api.restApiId}/${GATEWAY_STAGE}`;
  api.deploymentStage.node.addDependency(createLogGroup(scope, 'execution-logs', deployment, executionLogs));
  // The construct adds an output, which would duplicate the output ApiUrl of the stack.
  api.node.tryRemoveChild('Endpoint');
  return api;
}

/** Creates the policy of the API. It allows all calls, except those over plain HTTP. */
function createResourcePolicy(): PolicyDocument {
  const calls = { principals: [new AnyPrincipal()], actions: ['execute-api:Invoke'], resources: ['execute-api:/*'] };
  return new PolicyDocument({
    statements: [
      new PolicyStatement({ ...calls, effect: Effect.ALLOW }),
      new PolicyStatement({ ...calls, effect: Effect.DENY, conditions: { Bool: { 'aws:SecureTransport': 'false' } } }),
    ],
  });
}

function buildStageOptions(
  accessLogs: ILogGroup,
  pages: readonly PublishedPage[],
  { throttling, methodThrottling }: Deployment,
): apigateway.StageOptions {
  // The options of a method replace all options of the stage, not only the throttling. Therefore they are complete.
  const methodOptions: Record<string, apigateway.MethodDeploymentOptions> = {};
  for (const { name, method, path } of [...routes, ...pages.flatMap(listPageRoutes)]) {
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
