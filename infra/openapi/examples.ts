import type { Language } from '../../lib/domain/language.ts';
import type { SampleRequest } from './sample-requests.ts';
import type { Operation } from './current-operation.ts';
import type { Content } from './operation.ts';

/** A recorded request with its response, which is an example of an operation. */
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

export type Exchanges = Readonly<Record<Language, readonly Exchange[]>>;

/**
 * Adds recorded exchanges to an operation as examples; throws for a response that the operation does not document.
 */
export function withExamples(operation: Operation, exchanges: readonly Exchange[]): Operation {
  const byStatus = Map.groupBy(exchanges, ({ status }) => String(status));
  for (const status of byStatus.keys()) {
    if (!(status in operation.responses)) throw new Error(`${operation.operationId} answers ${status}, undocumented.`);
  }
  const { requestBody, responses } = operation;
  const successes = exchanges.filter(isSuccess);
  return {
    ...operation,
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
