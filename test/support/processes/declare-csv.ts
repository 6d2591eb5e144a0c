import { demoAccount } from '../../../infra/demo-account.ts';
import { checkingEnvironment } from '../answers/checking-environment.ts';
import { runScript, type ScriptRun, type ScriptSetting } from './run-script.ts';

const { apiKey, password, tenant, email } = demoAccount;

/**
 * Runs the script that declares from a CSV against a service at this address, as the demo account; in English by
 * default.
 */
export function runDeclareCsv(url: string, args: readonly string[], setting: ScriptSetting = {}): Promise<ScriptRun> {
  return runScript(
    'lib/client/examples/declare-csv/declare-csv.ts',
    ['--url', url, '--tenant', tenant, '--email', email, ...args],
    {
      ...setting,
      env: {
        ...checkingEnvironment,
        LANG: 'en_US.UTF-8',
        PORTAL_API_KEY: apiKey,
        PORTAL_PASSWORD: password,
        ...setting.env,
      },
    },
  );
}
