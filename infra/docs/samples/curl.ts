import { addressOf, loginPath, type SampleCall } from './sample-call.ts';

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
export function curlSample(call: SampleCall): string {
  const { account, needsLogin, sendsTenant } = call;
  const request = curlCommand({
    method: call.method,
    url: addressOf(call),
    headers: {
      ...(sendsTenant && { tenant: account.tenant }),
      ...(needsLogin && { Authorization: 'Bearer $TOKEN', 'X-API-Key': account.apiKey }),
      ...(call.body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
  });
  return needsLogin ? `${loginCommand(call)}\n\n${request}` : request;
}

function loginCommand({ baseUrl, account }: SampleCall): string {
  const login = curlCommand({
    method: 'POST',
    url: baseUrl + loginPath,
    headers: { tenant: account.tenant, 'X-API-Key': account.apiKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: account.email, password: account.password }),
  });
  return `TOKEN=$(${login} \\\n  | sed 's/.*"authorization":"\\([^"]*\\)".*/\\1/')`;
}
