import { type LiteralStyle, literal, singleQuoted } from './literal.ts';
import { addressOf, loginPath, type SampleCall } from './sample-call.ts';

const style: LiteralStyle = {
  object: ['[', ']'],
  key: (name) => `${singleQuoted(name)} => `,
  text: singleQuoted,
  words: { true: 'true', false: 'false', null: 'null' },
  padding: '',
  indent: '    ',
};
const php = (value: unknown) => literal(value, style);

/** The call with PHP and its extension curl. */
export function phpSample(call: SampleCall): string {
  const { baseUrl, account, method, needsLogin, sendsTenant, body } = call;
  const headers = [...(sendsTenant ? [`tenant: ${account.tenant}`] : []), 'Content-Type: application/json'];
  const credentials = { email: account.email, password: account.password };
  const login = [
    `$headers[] = ${php(`X-API-Key: ${account.apiKey}`)};`,
    `$login = send('POST', ${php(baseUrl + loginPath)}, $headers, ${php(credentials)});`,
    "$headers[] = 'Authorization: Bearer ' . $login['data']['authorization'];",
    '',
  ];
  return [
    '<?php',
    'function send(string $method, string $url, array $headers, ?array $body = null): array',
    '{',
    '    $curl = curl_init($url);',
    '    curl_setopt_array($curl, [',
    '        CURLOPT_CUSTOMREQUEST => $method,',
    '        CURLOPT_HTTPHEADER => $headers,',
    '        CURLOPT_RETURNTRANSFER => true,',
    '        CURLOPT_TIMEOUT => 30,',
    '    ]);',
    '    if ($body !== null) curl_setopt($curl, CURLOPT_POSTFIELDS, json_encode($body));',
    '    $answer = curl_exec($curl);',
    '    if ($answer === false) throw new RuntimeException(curl_error($curl));',
    '    return json_decode($answer, true);',
    '}',
    '',
    `$headers = ${php(headers)};`,
    ...(needsLogin ? login : ['']),
    `print_r(send(${php(method)}, ${php(addressOf(call))}, $headers${body === undefined ? '' : `, ${php(body)}`}));`,
  ].join('\n');
}
