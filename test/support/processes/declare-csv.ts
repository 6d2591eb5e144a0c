import { demoAccount } from '../../../infra/openapi/sample-requests.ts';
import { runScript, type ScriptRun, type ScriptSetting } from './run-script.ts';

const { apiKey, password, tenant, email } = demoAccount;

/** Runs the script that declares from a CSV against a service at this address, as the demo account, in English. */
export function runDeclareCsv(url: string, args: readonly string[], setting: ScriptSetting = {}): Promise<ScriptRun> {
  const account = ['--url', url, '--tenant', tenant, '--email', email];
  const env = { LANG: 'en_US.UTF-8', PORTAL_API_KEY: apiKey, PORTAL_PASSWORD: password, ...setting.env };
  return runScript('lib/client/examples/declare-csv/declare-csv.ts', [...account, ...args], { ...setting, env });
}
