import { toPrintable } from '../../lib/runtime/printable.ts';
import { print } from '../process/terminal.ts';
import type { Reply } from './reply.ts';

/** The properties of a request that its line contains. */
export interface LoggedRequest {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
}

/** Matches the code at the start of an error: `{"success":false,"error":{"code":"NOT_FOUND"`. */
const ERROR_CODE = /^\{"success":false,"error":\{"code":"(\w+)"/;
/** Matches the code at the start of a legacy error, whose status can be 200: `{"Resultado":{"Exito":false,"Codigo":"NOT_FOUND"`. */
const LEGACY_ERROR_CODE = /^\{"Resultado":\{"Exito":false,"Codigo":"(\w+)"/;
/** Matches an invalid property in a response: `"property":"declarations[3].amount"`. */
const INVALID_PROPERTY = /"property":"([\w.[\]]+)"/g;

/** Prints a line, such as `14:03:12 POST /…/declare 400 VALIDATION_ERROR invalid amount, notes 58 ms req 480b1937-…`. */
export function printRequestLine(request: LoggedRequest, { status, body }: Reply, durationMs: number): void {
  const text = String(body);
  const errorMatch = ERROR_CODE.exec(text) ?? LEGACY_ERROR_CODE.exec(text);
  const errorCode = errorMatch?.[1];
  const invalidProperties = Array.from(text.matchAll(INVALID_PROPERTY), ([, property]) => property);
  const time = new Date().toTimeString().slice(0, 'HH:MM:SS'.length);
  const parts = [time, request.method, request.path, status];
  if (errorCode !== undefined) parts.push(errorCode);
  if (invalidProperties.length > 0) parts.push('invalid', invalidProperties.join(', '));
  parts.push(Math.round(durationMs), 'ms req', request.requestId);
  print(toPrintable(parts.join(' ')));
}

/** Prints a line of a function, except a line with the level INFO, which the line of `printRequestLine` replaces. */
export function printFunctionLine(line: string): void {
  if (!line.startsWith('{"level":"INFO"')) print(toPrintable(line));
}
