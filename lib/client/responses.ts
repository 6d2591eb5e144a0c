import type { RESPONSE_SHAPES } from './portal-data.generated.ts';
import { PortalError } from './portal-error.ts';
import { parseRetryAfter } from './retries.ts';
import type { Reply } from './transport.ts';

/** The content of a successful response. */
export interface Success<Data, Meta = object> {
  readonly data: Data;
  readonly meta: Meta;
}

/** The JSON types of each required property of an object, such as `string null`; or `array` for a list. */
type Shape = Readonly<Record<string, string>> | string;

/** The shape of a successful response. */
export type ResponseShape = (typeof RESPONSE_SHAPES)[keyof typeof RESPONSE_SHAPES];

/** Returns the content of a success with this shape. Throws the error of any other reply. */
export function readResponse<Data, Meta = object>(reply: Reply, shape: ResponseShape): Success<Data, Meta> {
  if ('error' in reply) throw reply.error;
  const { status, headers, body } = reply;
  const requestId = headers.get('X-Request-Id');
  const { success, data, meta, error } = isObject(body) ? body : {};
  if (status >= 400 && success === false && isServiceError(error)) {
    const retryAfter = parseRetryAfter(reply);
    const message = retryAfter === null ? error.message : `${error.message} (Retry-After: ${retryAfter} s)`;
    const details = Array.isArray(error.details) ? error.details : [];
    throw new PortalError({ code: error.code, message, status, requestId, details });
  }

  const isSuccess = status === 200 && success === true;
  const mismatch = findMismatch('data', data, shape.data) ?? findMismatch('meta', meta, shape.meta);
  if (isSuccess && mismatch === undefined) return { data, meta } as Success<Data, Meta>;
  const reason = isSuccess ? `: ${mismatch}` : '';
  const message = `The response (status ${status}) is not one of this service${reason}.`;
  throw new PortalError({ code: 'INVALID_RESPONSE', message, status, requestId });
}

function isServiceError(error: unknown): error is { code: string; message: string; details?: unknown } {
  return isObject(error) && typeof error['code'] === 'string' && typeof error['message'] === 'string';
}

/** Describes the first property that is missing or of another type; undefined if the value has the shape. */
function findMismatch(path: string, value: unknown, shape: Shape): string | undefined {
  if (typeof shape === 'string') return getJsonType(value) === shape ? undefined : `${path} must be ${shape}`;
  if (!isObject(value)) return `${path} must be object`;
  for (const [name, types] of Object.entries(shape)) {
    const isExpected = types.split(' ').includes(getJsonType(value[name]));
    if (!isExpected) return `${path}.${name} must be ${types.replaceAll(' ', ' or ')}`;
  }
  return undefined;
}

function getJsonType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return getJsonType(value) === 'object';
}
