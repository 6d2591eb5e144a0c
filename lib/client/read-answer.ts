import { type Reply, requestIdOf } from './exchange.ts';
import { ERROR_CODES, type ErrorCode, type PropertyFault } from './portal-data.generated.ts';
import { PortalError } from './portal-error.ts';

/** What a success holds. */
export interface Answer<Data, Meta = object> {
  readonly data: Data;
  readonly meta: Meta;
}

type Fields = Readonly<Record<string, unknown>>;

/** Whether a success has what a caller relies on. */
export type IsComplete = (answer: Answer<Fields, Fields>) => boolean;

interface ServiceFault {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: readonly PropertyFault[];
}

/** Reads a success that has what its caller relies on; throws the error of the service, or else INVALID_RESPONSE. */
export function readAnswer<Data, Meta = object>(reply: Reply, isComplete: IsComplete = () => true): Answer<Data, Meta> {
  const { status, headers } = reply;
  const success = successIn(reply);
  if (success && isComplete(success)) return success as Answer<Data, Meta>;
  const message = `The answer (status ${status}) is not one of this service.`;
  const fault = faultIn(reply) ?? { code: 'INVALID_RESPONSE', message };
  throw new PortalError({ ...fault, status, requestId: requestIdOf(headers) });
}

function successIn({ status, body }: Reply): Answer<Fields, Fields> | undefined {
  if (status !== 200 || !isRecord(body) || body['success'] !== true) return undefined;
  const { data, meta } = body;
  return isRecord(data) && isRecord(meta) ? { data, meta } : undefined;
}

function faultIn({ status, body }: Reply): ServiceFault | undefined {
  if (status < 400 || !isRecord(body) || body['success'] !== false || !isRecord(body['error'])) return undefined;
  const { code, message, details } = body['error'];
  if (!isErrorCode(code) || typeof message !== 'string') return undefined;
  return { code, message, details: Array.isArray(details) ? details : [] };
}

function isErrorCode(value: unknown): value is ErrorCode {
  return (ERROR_CODES as readonly unknown[]).includes(value);
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}
