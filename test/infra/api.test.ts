import { ERROR_CODES, type ErrorCode } from '../../lib/domain/errors.ts';
import { describe, expect, it } from 'vitest';
import { readStack } from '../../infra/local/read-stack.ts';
import { routes } from '../../infra/routes.ts';
import { getVariant } from '../support/stack/stack-variants.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { proves } from '../rules/proves.ts';

interface StageProperties {
  readonly AccessLogSetting: { readonly Format: string };
}

const { outputs, findResources, getResource } = await getVariant({ stage: 'dev' });
const { gatewayResponses, routes: mountedRoutes } = readStack();

const api = getResource<object>('AWS::ApiGateway::RestApi').Properties;

describe('API', () => {
  it('the API has exactly the routes of the service, each with its own function', () => {
    const names = new Map(findResources('AWS::Lambda::Function').map(({ id, path }) => [id, path]));
    const mounted = mountedRoutes.map(({ method, path, functionId }) => `${method} ${path} ${names.get(functionId)}`);
    expect(mounted.toSorted()).toEqual(routes.map(({ name, method, path }) => `${method} ${path} ${name}`).toSorted());
  });

  it('the API is regional, and rejects nothing itself except plain HTTP', () => {
    proves('auth/rule-7');
    const statement = { Action: 'execute-api:Invoke', Principal: { AWS: '*' }, Resource: 'execute-api:/*' };
    expect(api).toMatchObject({
      EndpointConfiguration: { Types: ['REGIONAL'] },
      Policy: {
        Statement: [
          { ...statement, Effect: 'Allow' },
          { ...statement, Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
        ],
      },
    });
  });

  it('the API requires TLS 1.2 with forward secrecy, and passes JSON as bytes, so that functions detect invalid UTF-8', () => {
    const security = { SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09', EndpointAccessMode: 'STRICT' };
    expect(api).toMatchObject({ ...security, BinaryMediaTypes: ['application/json'] });
  });

  const { Properties: stage } = getResource<StageProperties>('AWS::ApiGateway::Stage');

  it('the access log contains the request id of the response and nothing secret', () => {
    const format = JSON.parse(stage.AccessLogSetting.Format);
    expect(format).toMatchObject({ requestId: '$context.requestId', error: '$context.error.responseType' });
    // The log contains no headers, path, query or body, and only the address of the caller.
    const harmless = /^\$context\.(?!authorizer|requestOverride|path$)(identity\.sourceIp|error\.responseType|\w+)$/;
    expect(Object.values(format).filter((variable) => !harmless.test(String(variable)))).toEqual([]);
  });

  it('the stack outputs its version, stage, address, rotation function, log groups, policies and table names', () => {
    const createOutput = ({ id }: { readonly id: string }) => ({ Value: { Ref: id } });
    const tables = findResources('AWS::DynamoDB::GlobalTable').map((table) => [
      `${table.path}Table`,
      createOutput(table),
    ]);
    expect(outputs).toMatchObject({
      ...{ Version: { Value: packageJson.version }, DeployedStage: { Value: { Ref: 'Stage' } }, ApiUrl: {} },
      RotationFunction: { Value: { Ref: expect.stringMatching(/^rotatesigningkey/) } },
      ...Object.fromEntries(tables),
    });
    for (const { Description } of Object.values(outputs)) expect(Description).toMatch(/^The .+\.$/);
    // The groups of API Gateway, whose name is fixed, and of custom resources have no output.
    const logs = Object.keys(outputs).filter((name) => name.endsWith('Logs'));
    expect(logs).toHaveLength(findResources('AWS::Logs::LogGroup').length - 2);
  });
});

describe.each(gatewayResponses)('gateway response $ResponseType', (response) => {
  const { ResponseParameters, ResponseTemplates, StatusCode } = response;
  const body = JSON.parse(ResponseTemplates['application/json'] ?? '');

  it('the gateway response has the envelope, a known code and its status', () => {
    proves('error-envelope/code', 'error-envelope/message');
    const details = [{ property: expect.any(String), constraints: expect.any(Object) }];
    expect(body).toEqual({
      success: false,
      error: {
        ...{ code: body.error.code, message: expect.any(String) },
        ...(body.error.code === 'VALIDATION_ERROR' && { details }),
      },
    });
    expect(StatusCode).toBe(String(ERROR_CODES[body.error.code as ErrorCode].status));
  });

  it('the gateway response has the headers of every response', () => {
    proves('common/request-id', 'errors/rule-3', 'rate-headers/Retry-After');
    expect(ResponseParameters).toEqual({
      'gatewayresponse.header.X-Request-Id': 'context.requestId',
      'gatewayresponse.header.Cache-Control': "'no-store'",
      'gatewayresponse.header.X-Content-Type-Options': "'nosniff'",
      'gatewayresponse.header.Strict-Transport-Security': "'max-age=31536000'",
      'gatewayresponse.header.Content-Security-Policy': "'default-src 'none'; frame-ancestors 'none''",
      ...(StatusCode === '429' && { 'gatewayresponse.header.Retry-After': "'1'" }),
    });
  });
});

it('the gateway has its own response for every request that can fail before a function is called', () => {
  const defaults = ['DEFAULT_4XX', 'DEFAULT_5XX', 'MISSING_AUTHENTICATION_TOKEN', 'THROTTLED', 'QUOTA_EXCEEDED'];
  expect(gatewayResponses.map(({ ResponseType }) => ResponseType)).toEqual(expect.arrayContaining(defaults));
});
