import { toPrintable } from '../../lib/runtime/printable.ts';
import { print } from '../process/terminal.ts';
import type { Reply } from './http.ts';

/** A request in the log: `path` is the path that the API declares, or the requested path if the API declares none. */
interface LoggedRequest {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
}

/** The code of an error in a response, such as `"code": "NOT_FOUND"`. The legacy route names it `Codigo`. */
const ERROR_CODE = /"(?:code|Codigo)":\s*"(?<code>\w+)"/;

/** Prints a line for a request, such as `14:03:05 POST /apidev/v1/login 200 58 ms req 480b1937-…`. */
export function printRequestLine(
  { requestId, method, path }: LoggedRequest,
  { status, body }: Reply,
  durationMs: number,
  stream: NodeJS.WritableStream,
): void {
  const time = new Date().toTimeString().slice(0, 8);
  const code = status >= 400 ? (ERROR_CODE.exec(body.toString())?.groups?.['code'] ?? '') : '';
  const outcome = `${status} ${code}`.trim();
  print(toPrintable(`${time} ${method} ${path} ${outcome} ${Math.round(durationMs)} ms req ${requestId}`), stream);
}

/** Prints a line that a function has written, unless it only informs. The line of a request replaces these lines. */
export function printFunctionLine(line: string, stream: NodeJS.WritableStream): void {
  if (!line.startsWith('{"level":"INFO"')) print(toPrintable(line), stream);
}
