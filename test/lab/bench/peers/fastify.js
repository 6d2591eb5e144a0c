import awsLambdaFastify from '@fastify/aws-lambda';
import fastify from 'fastify';
import { declaration, listQuery, PATH, verifyToken } from './contracts.js';
import { admit, declare, detail, headersOf, list, validate } from './invoices.js';

const authenticated = (group) => async (request, reply) => {
  const { authorization, tenant, 'x-api-key': apiKey } = request.headers;
  request.caller = await admit(verifyToken(authorization, tenant), apiKey, group);
  reply.headers(headersOf(request.caller.rate));
};

const answer = (work, inputOf) => async (request) => ({
  success: true,
  meta: {},
  ...(await work(request.caller, inputOf(request))),
});

const app = fastify();
app.decorateRequest('caller', null);
app.setErrorHandler((error, _request, reply) =>
  reply.status(error.statusCode ?? 500).send({ success: false, error: { message: error.message } }),
);
app.get(
  PATH,
  { schema: { querystring: listQuery }, preHandler: authenticated('read') },
  answer(list, ({ query }) => query),
);
app.get(
  `${PATH}/:id`,
  { preHandler: authenticated('read') },
  answer(detail, ({ params }) => params.id),
);
app.post(
  `${PATH}/validate`,
  { schema: { body: declaration }, preHandler: authenticated('read') },
  answer(validate, ({ body }) => body),
);
app.post(
  `${PATH}/declare`,
  { schema: { body: declaration }, preHandler: authenticated('write') },
  answer(declare, ({ body }) => body),
);

export const handler = awsLambdaFastify(app);
