import { PortalError, type Reply } from './exchange.ts';

/** The content of a successful response. */
export interface Success<Data, Meta = object> {
  readonly data: Data;
  readonly meta: Meta;
}

type Fields = Readonly<Record<string, unknown>>;

/** The required properties of a part of a response, each with its JSON types, such as `string null`. */
type Shape = Readonly<Record<string, string>>;

/** The required properties of a successful response. */
export interface ResponseShape {
  readonly data: Shape;
  readonly meta: Shape;
}

/** Returns the content of a success that has the shape; else throws the error of the service, or INVALID_RESPONSE. */
export function readResponse<Data, Meta = object>(
  { status, headers, body }: Reply,
  shape: ResponseShape,
): Success<Data, Meta> {
  const { success, data, meta, error } = isObject(body) ? body : {};
  const isSuccess = status === 200 && success === true;
  const mismatch = isSuccess ? (findMismatch('data', data, shape.data) ?? findMismatch('meta', meta, shape.meta)) : '';
  if (mismatch === undefined) return { data, meta } as Success<Data, Meta>;

  const { code, message, details } = isObject(error) ? error : {};
  const isError = status >= 400 && success === false && typeof code === 'string' && typeof message === 'string';
  const failure = isError
    ? { code, message, details: Array.isArray(details) ? details : [] }
    : { code: 'INVALID_RESPONSE', message: `The response (status ${status}) is not one of this service${mismatch}.` };
  throw new PortalError({ ...failure, status, requestId: headers.get('X-Request-Id') });
}

/** Describes the first property that is missing or of another type; undefined if the value has the shape. */
function findMismatch(path: string, value: unknown, shape: Shape): string | undefined {
  if (!isObject(value)) return `: ${path} must be object`;
  const wrong = Object.entries(shape).find(([name, types]) => !types.split(' ').includes(jsonType(value[name])));
  return wrong && `: ${path}.${wrong[0]} must be ${wrong[1].replace(' ', ' or ')}`;
}

function jsonType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function isObject(value: unknown): value is Fields {
  return jsonType(value) === 'object';
}
