import { AccessLogField, AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';

/**
 * One JSON line for each request, under the id that clients get as X-Request-Id; `error` is the type of the answer when
 * the gateway itself gave it, else "-". Nothing that a client writes is in it: `path` is the route's, not what was
 * asked for, in which somebody may have put a secret, and there is no user agent, with which a line could be forged.
 */
export const accessLogFormat = AccessLogFormat.custom(
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
