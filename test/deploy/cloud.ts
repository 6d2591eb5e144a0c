import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { env, execPath } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findFreePort, LOCAL_HOST } from '../../infra/local/ports.ts';

const resolvePath = (file: string) => fileURLToPath(new URL(file, import.meta.url));
const credentials = { accessKeyId: 'emulated', secretAccessKey: 'emulated' };

/** The file of the output, in the folder of the emulator. */
export const LOG_FILE = 'emulator.log';

/** The region of the emulated account. */
export const region = 'us-east-1';

/** An emulated AWS account, which is empty at first. */
export type Cloud = Awaited<ReturnType<typeof startCloud>>;

/** Starts the emulator, which writes its log and the code of functions to the folder. */
export async function startCloud(folder: string, signal: AbortSignal) {
  const port = await findFreePort();
  // The host must be localhost by name: the emulator reads the S3 bucket from the labels before it.
  const endpoint = `http://localhost:${port}`;
  const environment = {
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  };
  const emulator = startEmulator(folder, { ...environment, MOTO_PORT: String(port) });
  const close = async () => {
    if (emulator.connected) emulator.disconnect();
    if (emulator.exitCode === null) await once(emulator, 'exit');
  };
  try {
    await waitForResponse(endpoint, emulator, signal);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    environment,
    client: { endpoint, region, credentials },
    /** Returns the output of the emulator and of the functions that it has run. */
    readLog: () => readFile(join(folder, LOG_FILE), 'utf8'),
    close,
  };
}

/** Starts the emulator under a supervisor, which ends it when this process ends, even after a crash. */
function startEmulator(folder: string, variables: { readonly MOTO_PORT: string }): ChildProcess {
  const log = openSync(join(folder, LOG_FILE), 'w');
  const command = [
    env['PYTHON'] ?? '',
    resolvePath('emulator/server.py'),
    '--host',
    LOCAL_HOST,
    '--port',
    variables.MOTO_PORT,
  ];
  return fork(resolvePath('../../infra/local/engine-supervisor.ts'), command, {
    detached: true,
    env: {
      ...{ ...env, TMPDIR: folder, PYTHONDONTWRITEBYTECODE: '1', NODE: execPath, ...variables },
      // Lambda has the SDK, and the CDK's providers rely on it.
      NODE_PATH: resolvePath('../../node_modules'),
    },
    stdio: ['ignore', log, log, 'ipc'],
  });
}

async function waitForResponse(endpoint: string, emulator: ChildProcess, signal: AbortSignal): Promise<void> {
  const hasResponded = () => fetch(endpoint).then(Boolean, () => false);
  while (!(await hasResponded())) {
    if (emulator.exitCode !== null) throw new Error('The emulator did not start.');
    await sleep(100, undefined, { signal });
  }
}
