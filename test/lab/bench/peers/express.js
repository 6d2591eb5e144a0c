import { Ajv } from 'ajv';
import express from 'express';
import serverless from 'serverless-http';
import { declaration, listQuery, PATH, verifyToken } from './contracts.js';
import { admit, declare, detail, headersOf, HttpError, list, validate } from './invoices.js';

const ajv = new Ajv({ allErrors: true, coerceTypes: true });

const authenticated = (group) => async (request, response, next) => {
  const claims = verifyToken(request.get('authorization'), request.get('tenant'));
  response.locals.caller = await admit(claims, request.get('x-api-key'), group);
  response.set(headersOf(response.locals.caller.rate));
  next();
};

const valid = (schema, source) => {
  const check = ajv.compile(schema);
  return (request, response, next) => {
    response.locals.input = { ...request[source] };
    if (!check(response.locals.input)) throw new HttpError(400, ajv.errorsText(check.errors));
    next();
  };
};

const answer = (work) => async (request, response) => {
  const result = await work(response.locals.caller, response.locals.input ?? request.params.id);
  response.json({ success: true, meta: {}, ...result });
};

const app = express();
app.use(express.json());
app.get(PATH, authenticated('read'), valid(listQuery, 'query'), answer(list));
app.get(`${PATH}/:id`, authenticated('read'), answer(detail));
app.post(`${PATH}/validate`, authenticated('read'), valid(declaration, 'body'), answer(validate));
app.post(`${PATH}/declare`, authenticated('write'), valid(declaration, 'body'), answer(declare));
app.use((error, _request, response, _next) => {
  response.status(error.status ?? 500).json({ success: false, error: { message: error.message } });
});

export const handler = serverless(app);
