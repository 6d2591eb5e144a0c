import type { LocalService } from './service.ts';

/** What somebody who has just started the service needs: where it is, how to log in, and a line to paste. */
export function banner({ url, endpoint, demo }: LocalService): string {
  const facts = { Address: url, Documentation: `${url}/docs`, DynamoDB: endpoint };
  if (demo === undefined) return lines(facts);

  const login = [
    `curl -sS ${url}/apidev/v1/login`,
    `-H 'tenant: ${demo.tenant}'`,
    "-H 'Content-Type: application/json'",
    `-d '${JSON.stringify({ email: demo.email, password: demo.password })}'`,
  ].join(' ');
  const credentials = { Tenant: demo.tenant, 'API key': demo.apiKey, 'E-mail': demo.email, Password: demo.password };
  return `${lines({ ...facts, ...credentials })}\n\nLog in with:\n\n  ${login}\n`;
}

function lines(facts: Readonly<Record<string, string>>): string {
  const rows = Object.entries(facts).map(([name, value]) => `  ${name.padEnd(15)}${value}`);
  return ['', 'Supplier Portal Invoice Service', '', ...rows].join('\n');
}
