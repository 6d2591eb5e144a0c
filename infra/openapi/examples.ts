import type { Exchange } from './exchange.ts';
import type { Content, NamedExample, Operation, Parameter } from './operation.ts';

/**
 * The operation with what was really sent to it and answered, as examples; an answer that it does not document is an
 * error.
 */
export function withExamples(operation: Operation, path: string, exchanges: readonly Exchange[]): Operation {
  const byStatus = Map.groupBy(exchanges, ({ status }) => String(status));
  for (const status of byStatus.keys()) {
    if (!(status in operation.responses)) throw new Error(`${operation.operationId} answers ${status}, undocumented.`);
  }
  const { parameters, requestBody, responses } = operation;
  const successes = exchanges.filter(isSuccess);
  return {
    ...operation,
    parameters: parameters.map((parameter) =>
      '$ref' in parameter ? parameter : withExample(parameter, path, successes),
    ),
    ...(requestBody && {
      requestBody: {
        ...requestBody,
        content: show(requestBody.content, successes, ({ request }) => sentBody(request)),
      },
    }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [
        status,
        { ...response, content: show(response.content, byStatus.get(status) ?? [], ({ body }) => body) },
      ]),
    ),
  };
}

function isSuccess({ body }: Exchange): boolean {
  const { success, Resultado } = body as { success?: boolean; Resultado?: { Exito: boolean } };
  return success ?? Resultado?.Exito ?? false;
}

function sentBody({ body = 'null' }: Exchange['request']): unknown {
  return JSON.parse(body);
}

function show(content: Content, exchanges: readonly Exchange[], valueOf: (exchange: Exchange) => unknown): Content {
  const examples = exchanges.map((exchange): [string, NamedExample] => [
    exchange.name,
    { summary: exchange.summary, value: valueOf(exchange) },
  ]);
  return { 'application/json': { ...content['application/json'], examples: Object.fromEntries(examples) } };
}

function withExample(parameter: Parameter, path: string, [exchange]: readonly Exchange[]): Parameter {
  if (exchange === undefined) return parameter;
  const url = new URL(exchange.request.path, 'http://service');
  const segment = path.split('/').indexOf(`{${parameter.name}}`);
  const sent = segment < 0 ? url.searchParams.get(parameter.name) : url.pathname.split('/')[segment];
  if (sent === undefined || sent === null) return parameter;
  return { ...parameter, example: parameter.schema['type'] === 'integer' ? Number(sent) : sent };
}
