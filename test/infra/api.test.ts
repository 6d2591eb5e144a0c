import { ERROR_CODES, type ErrorCode } from '../../lib/domain/errors.ts';
import { describe, expect, it } from 'vitest';
import { readStack } from '../../infra/local/read-stack.ts';
import { routes } from '../../infra/routes.ts';
import { variantOf } from '../support/stack/stack-variants.ts';
import { readVersion } from '../../infra/process/version.ts';

interface StageProperties {
  readonly AccessLogSetting: { readonly Format: string };
  readonly TracingEnabled: boolean;
}

const { outputs, resourcesOfType, theResource } = await variantOf({ stage: 'dev' });
const { gatewayResponses, routes: mountedRoutes } = readStack();

const api = theResource<object>('AWS::ApiGateway::RestApi').Properties;

describe('API', () => {
  it('mounts every route on its own function, and nothing else', () => {
    const names = new Map(resourcesOfType('AWS::Lambda::Function').map(({ id, path }) => [id, path]));
    const mounted = mountedRoutes.map(
      ({ method, segments, functionId }) => `${method} /${segments.join('/')} ${names.get(functionId)}`,
    );
    expect(mounted.toSorted()).toEqual(routes.map(({ name, method, path }) => `${method} ${path} ${name}`).toSorted());
  });

  it('is regional, rejects plain HTTP, and lets its functions judge everything else [auth/rule-7]', () => {
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

  it('speaks TLS 1.2 or newer, with forward secrecy, and hands JSON on byte by byte, so that functions see what is no UTF-8', () => {
    const security = { SecurityPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09', EndpointAccessMode: 'STRICT' };
    expect(api).toMatchObject({ ...security, BinaryMediaTypes: ['application/json'] });
  });

  const { Properties: stage } = theResource<StageProperties>('AWS::ApiGateway::Stage');

  it('is traced, and logs every request under the id that the client sees, and nothing that may hold a secret', () => {
    expect(stage.TracingEnabled).toBe(true);
    const format = JSON.parse(stage.AccessLogSetting.Format);
    expect(format).toMatchObject({ requestId: '$context.requestId', error: '$context.error.responseType' });
    // No headers, path, query, or body; of the caller only the address.
    const harmless = /^\$context\.(?!authorizer|requestOverride|path$)(identity\.sourceIp|error\.responseType|\w+)$/;
    expect(Object.values(format).filter((variable) => !harmless.test(String(variable)))).toEqual([]);
  });

  it('outputs its version, its stage, its address, its rotation function, its log groups and the name of every table', () => {
    const refTo = ({ id }: { readonly id: string }) => ({ Value: { Ref: id } });
    const tables = resourcesOfType('AWS::DynamoDB::Table').map((table) => [`${table.path}Table`, refTo(table)]);
    const { Version, DeployedStage, ApiUrl, RotationFunction, ...others } = outputs;
    expect(Version).toEqual({ Value: readVersion() });
    expect(DeployedStage).toEqual({ Value: { Ref: 'Stage' } });
    expect(ApiUrl).toBeDefined();
    expect(RotationFunction).toEqual({ Value: { Ref: expect.stringMatching(/^rotatesigningkey/) } });
    const named = Object.entries(others);
    expect(named.filter(([name]) => name.endsWith('Table'))).toEqual(tables);
    const logs = named.filter(([name]) => /^[A-Z]\w+Logs$/.test(name));
    expect(tables.length + logs.length).toBe(named.length);
    // The gateway itself gives its own group its name.
    expect(logs).toHaveLength(resourcesOfType('AWS::Logs::LogGroup').length - 1);
  });
});

describe.each(gatewayResponses)('gateway response $ResponseType', (response) => {
  const { ResponseParameters, ResponseTemplates, StatusCode } = response;
  const body = JSON.parse(ResponseTemplates['application/json'] ?? '');

  it('has the envelope, a code of the interface, its status, and names what is invalid [error-envelope/code] [error-envelope/message]', () => {
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

  it('carries the request id, forbids caching, guessing of the type and plain HTTP, and says when to retry [common/request-id] [errors/rule-3] [rate-headers/Retry-After]', () => {
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

it('the gateway has an answer of this form for whatever may fail before a function is called', () => {
  const defaults = ['DEFAULT_4XX', 'DEFAULT_5XX', 'MISSING_AUTHENTICATION_TOKEN', 'THROTTLED', 'QUOTA_EXCEEDED'];
  expect(gatewayResponses.map(({ ResponseType }) => ResponseType)).toEqual(expect.arrayContaining(defaults));
});
