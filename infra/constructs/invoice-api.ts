import { Validations } from 'aws-cdk-lib';
import {
  AccessLogField,
  AccessLogFormat,
  EndpointType,
  LambdaIntegration,
  LogGroupLogDestination,
  MethodLoggingLevel,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { AnyPrincipal, Effect, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { routes } from '../routes.ts';
import { addGatewayResponses } from './gateway-responses.ts';
import { createFunction } from './service-function.ts';
import type { Tables } from './tables.ts';

/** Creates the REST API with one function for each route. */
export function createInvoiceApi(scope: Construct, tables: Tables): RestApi {
  const api = new RestApi(scope, 'InvoiceApi', {
    endpointTypes: [EndpointType.REGIONAL],
    policy: new PolicyDocument({ statements: [invoke(Effect.ALLOW), rejectPlainHttp()] }),
    cloudWatchRole: true,
    deployOptions: {
      stageName: 'live',
      metricsEnabled: true,
      loggingLevel: MethodLoggingLevel.ERROR,
      accessLogDestination: new LogGroupLogDestination(
        new LogGroup(scope, 'access-logs', { retention: RetentionDays.THREE_MONTHS }),
      ),
      accessLogFormat,
    },
  });
  // The construct adds an output of its own; the stack has ApiUrl.
  api.node.tryRemoveChild('Endpoint');

  for (const route of routes) {
    const integration = new LambdaIntegration(createFunction(scope, route, tables), { allowTestInvoke: false });
    api.root.resourceForPath(route.path).addMethod(route.method, integration);
  }
  addGatewayResponses(api);
  acknowledgeFindings(api);
  return api;
}

/** The request id is the one that clients get as X-Request-Id. */
const accessLogFormat = AccessLogFormat.custom(
  JSON.stringify({
    requestId: AccessLogField.contextRequestId(),
    requestTime: AccessLogField.contextRequestTime(),
    sourceIp: AccessLogField.contextIdentitySourceIp(),
    method: AccessLogField.contextHttpMethod(),
    path: AccessLogField.contextPath(),
    status: AccessLogField.contextStatus(),
    latencyMs: AccessLogField.contextResponseLatency(),
  }),
);

function rejectPlainHttp(): PolicyStatement {
  const statement = invoke(Effect.DENY);
  statement.addCondition('Bool', { 'aws:SecureTransport': 'false' });
  return statement;
}

function invoke(effect: Effect): PolicyStatement {
  return new PolicyStatement({
    effect,
    principals: [new AnyPrincipal()],
    actions: ['execute-api:Invoke'],
    resources: ['execute-api:/*'],
  });
}

function acknowledgeFindings(api: RestApi): void {
  Validations.of(api).acknowledge(
    {
      id: 'AwsSolutions-APIG2',
      reason:
        'The functions validate requests: the interface names every invalid property at once, the gateway cannot.',
    },
    {
      id: 'AwsSolutions-APIG3',
      reason:
        'No web ACL: two credentials guard every route but login, which limits attempts by source address itself.',
    },
    {
      id: 'AwsSolutions-APIG4',
      reason: 'The functions verify token and API key, because each failure has an answer of its own in the interface.',
    },
    { id: 'AwsSolutions-COG4', reason: 'The service issues and verifies its own tokens; there is no user pool.' },
    {
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
      reason: "This managed policy is what AWS documents for the gateway's account-wide logging role.",
    },
  );
}
