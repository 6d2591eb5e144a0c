import { literal } from './literal.ts';
import { loginPath, type SampleCall } from './sample-call.ts';

const py = (value: unknown, indent?: string) =>
  literal(
    value,
    {
      object: ['{', '}'],
      key: (name) => `${JSON.stringify(name)}: `,
      text: (text) => JSON.stringify(text),
      words: { true: 'True', false: 'False', null: 'None' },
      indent: '    ',
    },
    indent,
  );

/** The call with Python and its package requests. */
export function pythonSample({ baseUrl, account, method, path, headers, needsLogin, body }: SampleCall): string {
  const { email, password } = account;
  const login = `
login = requests.post(
    API + ${py(loginPath)}, headers=headers, timeout=30,
    json=${py({ email, password }, '    ')},
)
headers["Authorization"] = "Bearer " + login.json()["data"]["authorization"]
`;
  const json = `    json=${py(body, '    ')},\n`;
  return `import requests

API = ${py(baseUrl)}
headers = ${py(headers)}
${needsLogin ? login : ''}
answer = requests.request(
    ${py(method)}, API + ${py(path)}, headers=headers, timeout=30,
${body === undefined ? '' : json})
print(answer.status_code, answer.json())`;
}
