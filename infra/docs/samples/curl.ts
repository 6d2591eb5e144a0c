import { curlCommand } from './curl-command.ts';
import { addressOf, loginPath, type SampleCall } from './sample-call.ts';

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
