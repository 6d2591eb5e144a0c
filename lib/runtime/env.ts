/** Returns the value of an environment variable; throws if the variable is not set or empty. */
export function requireVariable(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} is not set.`);
  return value;
}

export function getTableName(
  table: 'DIRECTORY' | 'INVOICES' | 'DECLARATIONS' | 'RATE_COUNTERS' | 'SIGNING_KEYS',
): string {
  return requireVariable(`${table}_TABLE`);
}

export function readTokenParties(): { issuer: string; audience: string } {
  return { issuer: requireVariable('TOKEN_ISSUER'), audience: requireVariable('TOKEN_AUDIENCE') };
}

/** Reads the name of the service in log lines, and the lowest level that is written. */
export function readLogSettings(): { service: string | undefined; level: string } {
  return { service: process.env['SERVICE_NAME'], level: process.env['LOG_LEVEL'] ?? 'INFO' };
}
