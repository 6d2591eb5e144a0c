import { type LiteralStyle, literal } from './literal.ts';
import { loginPath, type SampleCall } from './sample-call.ts';

const style: LiteralStyle = {
  object: ['{', '}'],
  key: (name) => `${JSON.stringify(name)}: `,
  text: (text) => JSON.stringify(text),
  words: { true: 'True', false: 'False', null: 'None' },
  padding: '',
  indent: '    ',
};
const py = (value: unknown, indent?: string) => literal(value, style, indent);

/** The call with Python and its package requests. */
export function pythonSample(call: SampleCall): string {
  const { baseUrl, account, method, path, query, body, needsLogin, sendsTenant } = call;
  const parts = [
    `${py(method)}, API + ${py(path)}, headers=headers, timeout=30`,
    ...(Object.keys(query).length > 0 ? [`params=${py(query, '    ')}`] : []),
    ...(body === undefined ? [] : [`json=${py(body, '    ')}`]),
  ];
  const credentials = { email: account.email, password: account.password };
  const login = [
    `headers["X-API-Key"] = ${py(account.apiKey)}`,
    'login = requests.post(',
    `    API + ${py(loginPath)}, headers=headers, timeout=30,`,
    `    json=${py(credentials, '    ')},`,
    ')',
    'headers["Authorization"] = "Bearer " + login.json()["data"]["authorization"]',
    '',
  ];
  return [
    'import requests',
    '',
    `API = ${py(baseUrl)}`,
    `headers = ${sendsTenant ? py({ tenant: account.tenant }) : '{}'}`,
    ...(needsLogin ? login : ['']),
    'answer = requests.request(',
    ...parts.map((part) => `    ${part},`),
    ')',
    'print(answer.status_code, answer.json())',
  ].join('\n');
}
