import { Ajv } from 'ajv';
import { Hono } from 'hono';
import { handle } from 'hono/aws-lambda';
import { declaration, listQuery, PATH, verifyToken } from './contracts.js';
import { admit, declare, detail, headersOf, HttpError, list, validate } from './invoices.js';

const ajv = new Ajv({ allErrors: true, coerceTypes: true });

const authenticated = (group) => async (context, next) => {
  const claims = verifyToken(context.req.header('authorization'), context.req.header('tenant'));
  const caller = await admit(claims, context.req.header('x-api-key'), group);
  context.set('caller', caller);
  for (const [name, value] of Object.entries(headersOf(caller.rate))) context.header(name, value);
  await next();
};

const valid = (schema, read) => {
  const check = ajv.compile(schema);
  return async (context, next) => {
    const input = await read(context.req);
    if (!check(input)) throw new HttpError(400, ajv.errorsText(check.errors));
    context.set('input', input);
    await next();
  };
};
const query = (request) => request.query();
const body = (request) => request.json();

const answer = (work) => async (context) => {
  const result = await work(context.get('caller'), context.get('input') ?? context.req.param('id'));
  return context.json({ success: true, meta: {}, ...result });
};

const app = new Hono();
app.get(PATH, authenticated('read'), valid(listQuery, query), answer(list));
app.get(`${PATH}/:id`, authenticated('read'), answer(detail));
app.post(`${PATH}/validate`, authenticated('read'), valid(declaration, body), answer(validate));
app.post(`${PATH}/declare`, authenticated('write'), valid(declaration, body), answer(declare));
app.onError((error, context) =>
  context.json({ success: false, error: { message: error.message } }, error.status ?? 500),
);

export const handler = handle(app);
