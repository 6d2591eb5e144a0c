import { loginPath, type SampleCall } from './sample-call.ts';

/** A request as curl sends it. */
export interface CurlRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** A request as a command, one header on each line. */
export function curlCommand({ method, url, headers, body }: CurlRequest): string {
  const lines = [
    `curl -sS ${method === (body === undefined ? 'GET' : 'POST') ? '' : `-X ${method} `}${quoted(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(body)}`]),
  ];
  return lines.join(' \\\n  ');
}

/** Between single quotes, so that a shell takes nothing in it for its own, but for the token. */
function quoted(text: string): string {
  if (text === 'Authorization: Bearer $TOKEN') return `"${text}"`;
  return /^[\w:/.-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The call with curl, for a POSIX shell; a login before it keeps its token in TOKEN. */
export function curlSample({ baseUrl, account, method, path, headers, needsLogin, body }: SampleCall): string {
  const json = { 'Content-Type': 'application/json' };
  const request = curlCommand({
    method,
    url: baseUrl + path,
    headers: { ...headers, ...(needsLogin && { Authorization: 'Bearer $TOKEN' }), ...(body !== undefined && json) },
    body: JSON.stringify(body),
  });
  if (!needsLogin) return request;
  const { email, password } = account;
  const login = { method: 'POST', url: baseUrl + loginPath, headers: { ...headers, ...json } };
  const loginCommand = curlCommand({ ...login, body: JSON.stringify({ email, password }) });
  return `TOKEN=$(${loginCommand} \\\n  | sed 's/.*"authorization":"\\([^"]*\\)".*/\\1/')\n\n${request}`;
}
