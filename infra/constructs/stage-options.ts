import {
  AccessLogField,
  AccessLogFormat,
  LogGroupLogDestination,
  type MethodDeploymentOptions,
  MethodLoggingLevel,
  type StageOptions,
} from 'aws-cdk-lib/aws-apigateway';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Throttling } from '../config.ts';
import type { Deployment } from '../options.ts';
import { publishedDocs, routes } from '../routes.ts';

/**
 * One JSON line for each request, under the id that clients get as X-Request-Id; `error` is the type of the answer when
 * the gateway itself gave it, else "-". Nothing that a client writes is in it: `path` is the route's, not what was
 * asked for, in which somebody may have put a secret, and there is no user agent, with which a line could be forged.
 */
const accessLogFormat = AccessLogFormat.custom(
  JSON.stringify({
    requestId: AccessLogField.contextRequestId(),
    requestTime: AccessLogField.contextRequestTime(),
    sourceIp: AccessLogField.contextIdentitySourceIp(),
    method: AccessLogField.contextHttpMethod(),
    path: AccessLogField.contextResourcePath(),
    status: AccessLogField.contextStatus(),
    error: AccessLogField.contextErrorResponseType(),
    latencyMs: AccessLogField.contextResponseLatency(),
    integrationLatencyMs: AccessLogField.contextIntegrationLatency(),
    responseBytes: AccessLogField.contextResponseLength(),
    tlsVersion: '$context.tlsVersion',
    traceId: AccessLogField.contextXrayTraceId(),
  }),
);

/** What the gateway does with the requests: throttling, logs, traces. */
export function stageOptions({ throttling, methodThrottling, docs }: Deployment, accessLogs: ILogGroup): StageOptions {
  const ofDocs = docs ? publishedDocs.paths.map((path) => ({ name: publishedDocs.name, method: 'GET', path })) : [];
  // The settings of a method replace those of the stage as a whole.
  const methodOptions = [...routes, ...ofDocs].flatMap(({ name, method, path }) => {
    const own = methodThrottling[name];
    return own ? [[`${path}/${method}`, optionsWith(own)] as const] : [];
  });
  return {
    tracingEnabled: true,
    ...optionsWith(throttling),
    methodOptions: Object.fromEntries(methodOptions),
    accessLogDestination: new LogGroupLogDestination(accessLogs),
    accessLogFormat,
  };
}

function optionsWith({ requestsPerSecond, burst }: Throttling): MethodDeploymentOptions {
  return {
    throttlingRateLimit: requestsPerSecond,
    throttlingBurstLimit: burst,
    loggingLevel: MethodLoggingLevel.ERROR,
    dataTraceEnabled: false,
  };
}
