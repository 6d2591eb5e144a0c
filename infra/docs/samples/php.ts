import { literal, singleQuoted } from './literal.ts';
import { loginPath, type SampleCall } from './sample-call.ts';

const php = (value: unknown) =>
  literal(value, {
    object: ['[', ']'],
    key: (name) => `${singleQuoted(name)} => `,
    text: singleQuoted,
    indent: '    ',
  });

/** The call with PHP and its extension curl. */
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
    $curl = curl_init($url);
    curl_setopt_array($curl, [
        CURLOPT_CUSTOMREQUEST => $method,
        CURLOPT_HTTPHEADER => $headers,
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 30,
    ]);
    if ($body !== null) curl_setopt($curl, CURLOPT_POSTFIELDS, json_encode($body));
    $answer = curl_exec($curl);
    if ($answer === false) throw new RuntimeException(curl_error($curl));
    return json_decode($answer, true);
}

$headers = ${php(lines)};
${needsLogin ? login : ''}
print_r(send(${php(method)}, ${php(baseUrl + path)}, $headers${body === undefined ? '' : `, ${php(body)}`}));`;
}
