import { Logger } from '@aws-lambda-powertools/logger';
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { logMetrics } from '@aws-lambda-powertools/metrics/middleware';
import { Tracer } from '@aws-lambda-powertools/tracer';
import { captureLambdaHandler } from '@aws-lambda-powertools/tracer/middleware';
import middy from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import httpHeaderNormalizer from '@middy/http-header-normalizer';
import jsonBodyParser from '@middy/http-json-body-parser';
import { Ajv } from 'ajv';
import { declaration, listQuery, PATH, verifyToken } from './contracts.js';
import { admit, declare, detail, headersOf, HttpError, list, validate } from './invoices.js';

const logger = new Logger();
const metrics = new Metrics({ namespace: 'Peers' });
const tracer = new Tracer();
const ajv = new Ajv({ allErrors: true, coerceTypes: true });

const authenticate = (group) => ({
  async before({ event }) {
    const { authorization, tenant, 'x-api-key': apiKey } = event.headers;
    event.caller = await admit(verifyToken(authorization, tenant), apiKey, group);
  },
});

const valid = (schema, inputOf) => {
  const check = ajv.compile(schema);
  return {
    before({ event }) {
      event.input = inputOf(event);
      if (!check(event.input)) throw new HttpError(400, ajv.errorsText(check.errors));
    },
  };
};

const route = (group, work, ...middlewares) =>
  middy()
    .use([injectLambdaContext(logger), captureLambdaHandler(tracer), logMetrics(metrics), httpHeaderNormalizer()])
    .use([authenticate(group), ...middlewares, httpErrorHandler()])
    .handler(async ({ caller, input, pathParameters }) => {
      metrics.addMetric('Requests', MetricUnit.Count, 1);
      const result = await work(caller, input ?? pathParameters.id);
      logger.info('request', { supplier: caller.supplier });
      return {
        statusCode: 200,
        headers: { 'Content-Type': 'application/json', ...headersOf(caller.rate) },
        body: JSON.stringify({ success: true, meta: {}, ...result }),
      };
    });

const body = [jsonBodyParser(), valid(declaration, (event) => event.body)];
const routes = {
  [`GET ${PATH}`]: route(
    'read',
    list,
    valid(listQuery, ({ queryStringParameters }) => ({ ...queryStringParameters })),
  ),
  [`GET ${PATH}/{id}`]: route('read', detail),
  [`POST ${PATH}/validate`]: route('read', validate, ...body),
  [`POST ${PATH}/declare`]: route('write', declare, ...body),
};

export const handler = (event, context) => routes[`${event.httpMethod} ${event.resource}`](event, context);
