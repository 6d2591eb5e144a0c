import { literal, singleQuoted } from './literal.ts';
import { loginPath, type SampleCall } from './sample-call.ts';

const php = (value: unknown) =>
  literal(value, {
    object: ['[', ']'],
    key: (name) => `${singleQuoted(name)} => `,
    text: singleQuoted,
    indent: '    ',
  });

/** The call with PHP 8, as it comes. */
export function phpSample({ baseUrl, account, method, path, headers, needsLogin, body }: SampleCall): string {
  const { email, password } = account;
  const lines = Object.entries({ ...headers, 'Content-Type': 'application/json' }).map((header) => header.join(': '));
  const login = `
$login = send('POST', ${php(baseUrl + loginPath)}, $headers, ${php({ email, password })});
$headers[] = 'Authorization: Bearer ' . $login['data']['authorization'];
`;
  return `<?php
function send(string $method, string $url, array $headers, ?array $body = null): array
{
    $http = ['method' => $method, 'header' => $headers, 'timeout' => 30, 'ignore_errors' => true];
    if ($body !== null) $http['content'] = json_encode($body);
    return json_decode(file_get_contents($url, false, stream_context_create(['http' => $http])), true);
}

$headers = ${php(lines)};
${needsLogin ? login : ''}
print_r(send(${php(method)}, ${php(baseUrl + path)}, $headers${body === undefined ? '' : `, ${php(body)}`}));`;
}
