import { configure } from '@codegenie/serverless-express';
import { Bind, Body, Catch, Controller, Get, HttpCode, Module, Param, Post, Query, Req, Res } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Ajv } from 'ajv';
import { declaration, listQuery, PATH, verifyToken } from './contracts.js';
import { admit, declare, detail, headersOf, HttpError, list, validate } from './invoices.js';

const ajv = new Ajv({ allErrors: true, coerceTypes: true });

const valid = (schema) => {
  const check = ajv.compile(schema);
  return (input) => {
    if (!check(input)) throw new HttpError(400, ajv.errorsText(check.errors));
    return input;
  };
};
const validQuery = valid(listQuery);
const validBody = valid(declaration);

async function callerOf(request, response, group) {
  const claims = verifyToken(request.get('authorization'), request.get('tenant'));
  const caller = await admit(claims, request.get('x-api-key'), group);
  response.set(headersOf(caller.rate));
  return caller;
}

const envelope = (result) => ({ success: true, meta: {}, ...result });
const passing = { passthrough: true };

@Controller(PATH.slice(1))
class InvoicesController {
  @Get()
  @Bind(Req(), Res(passing), Query())
  async list(request, response, query) {
    return envelope(await list(await callerOf(request, response, 'read'), validQuery({ ...query })));
  }

  @Get(':id')
  @Bind(Req(), Res(passing), Param('id'))
  async detail(request, response, id) {
    return envelope(await detail(await callerOf(request, response, 'read'), id));
  }

  @Post('validate')
  @HttpCode(200)
  @Bind(Req(), Res(passing), Body())
  async validate(request, response, body) {
    return envelope(await validate(await callerOf(request, response, 'read'), validBody(body)));
  }

  @Post('declare')
  @HttpCode(200)
  @Bind(Req(), Res(passing), Body())
  async declare(request, response, body) {
    return envelope(await declare(await callerOf(request, response, 'write'), validBody(body)));
  }
}

@Catch()
class ErrorFilter {
  catch(error, host) {
    const response = host.switchToHttp().getResponse();
    response.status(error.status ?? 500).json({ success: false, error: { message: error.message } });
  }
}

@Module({ controllers: [InvoicesController] })
// oxlint-disable-next-line typescript/no-extraneous-class -- all that Nest wants of a module is its decorator
class AppModule {}

async function start() {
  const app = await NestFactory.create(AppModule, { logger: ['error', 'warn'] });
  app.useGlobalFilters(new ErrorFilter());
  await app.init();
  return configure({ app: app.getHttpAdapter().getInstance() });
}

const started = start();

export const handler = async (event, context) => (await started)(event, context);
