import type { SampleRequest } from '../demo-requests.ts';
import type { Content, Operation, Parameter } from './operation.ts';

/** What the service was asked, and what it answered: an example of an operation. */
export interface Exchange {
  readonly operationId: string;
  /** The key of the example; unique among those of the operation. */
  readonly name: string;
  readonly summary: string;
  readonly request: SampleRequest;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

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
        content: show(requestBody.content, successes, ({ request }) => JSON.parse(request.body ?? 'null')),
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

function show(content: Content, exchanges: readonly Exchange[], valueOf: (exchange: Exchange) => unknown): Content {
  const examples = exchanges.map((exchange) => [
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
