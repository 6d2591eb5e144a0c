import { toPrintable } from '../../lib/runtime/printable.ts';
import { print } from '../process/terminal.ts';
import type { Reply } from './http.ts';
import type { RouteMatch } from './proxy-event.ts';

export interface LoggedRequest {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly match: RouteMatch | undefined;
  readonly body: Buffer;
}

// Matches the code of an error at the start of a response: `{"success":false,"error":{"code":"NOT_FOUND"`, or in the
// legacy format `{"Resultado":{"Exito":false,"Codigo":"NOT_FOUND"`. Legacy errors can have the status 200.
const ERROR_CODE = /^\{"(?:success":false,"error|Resultado)":\{(?:"Exito":false,)?"(?:code|Codigo)":"(\w+)"/g;
// Matches an invalid property in a response, such as `"property":"declarations[3].amount"`.
const PROPERTY = /"property":"([\w.[\]]+)"/g;
// Matches a rejected item of a batch: `"invoice_id":"9008","success":false,"error":{"code":"NOT_FOUND"`.
const REJECTED_ITEM =
  /"(?:invoice_id|IdFactura)":"(?:(\d{1,20})|(?:[^"\\]|\\.)*)","(?:success|Exito)":false,"(?:error|Error)":\{"(?:code|Codigo)":"(\w+)"/g;
// Matches the id of an invoice in a request. It matches only digits, because a client can send any string as the id.
const INVOICE_ID = /"(?:invoice_id|IdFactura)":\s*"?(\d{1,20})"?\s*[,}]/g;
// Matches the request and the user in a line of a function: `"request_id":"480b…","tenant":"demo.example","user_id":"100"`.
const USER = /"request_id":"([^"]+)".*"tenant":"([^"]+)","user_id":"([^"]+)"/;

/** The users of the requests that have no line yet, such as `demo.example/100`, by the id of the request. */
const users = new Map<string, string>();

/** Prints a line for a request, such as `14:03:05 POST /apidev/v1/login 200 user demo.example/100 58 ms req 480b…`. */
export function printRequestLine(
  { requestId, method, path, match, body }: LoggedRequest,
  { status, body: response }: Reply,
  durationMs: number,
  stream: NodeJS.WritableStream,
): void {
  const time = new Date().toTimeString().slice(0, 8);
  const { id = '0' } = match?.parameters ?? {};
  // A client can send any string in place of the id of an invoice.
  const loggedPath = /^\d{1,20}$/.test(id) ? path : match?.resource;
  const user = users.get(requestId);
  users.delete(requestId);
  const parts = [
    `${time} ${method} ${loggedPath} ${status}`,
    formatMatches('', response, ERROR_CODE),
    formatMatches('invoice ', body, INVOICE_ID),
    formatMatches('rejected ', response, REJECTED_ITEM),
    formatMatches('invalid ', response, PROPERTY),
    user === undefined ? '' : `user ${user}`,
    `${Math.round(durationMs)} ms req ${requestId}`,
  ];
  const line = parts.filter((part) => part !== '').join(' ');
  print(toPrintable(line), stream);
}

/** Formats all matches, such as `rejected 9008 VALIDATION_ERROR, 9999 NOT_FOUND`. Without a match, returns ''. */
function formatMatches(heading: string, text: string | Buffer, pattern: RegExp): string {
  const matches = [...text.toString().matchAll(pattern)].map(([, ...groups]) => groups.join(' ').trim());
  return matches.length === 0 ? '' : heading + matches.join(', ');
}

/** Prints a line of a function, except a line with the level INFO, which the line of its request replaces. */
export function printFunctionLine(line: string, stream: NodeJS.WritableStream): void {
  const match = USER.exec(line);
  if (match !== null) {
    const [, requestId = '', tenant, userId] = match;
    users.set(requestId, `${tenant}/${userId}`);
  }
  if (!line.startsWith('{"level":"INFO"')) print(toPrintable(line), stream);
}
