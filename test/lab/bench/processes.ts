import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { buildEngineEnvironment } from '../../../infra/local/engine-client.ts';
import { listen } from '../../../infra/local/ports.ts';
import { benchDirectory, type Bundle, type FunctionName, serviceBundle } from './bundles.ts';

/** The milliseconds that a process used for a turn, and the text of the last response. */
interface Turn {
  readonly cpuMs: number;
  readonly wallMs: readonly number[];
  readonly body: string;
}

/** A process that has loaded a bundle. */
export interface BundleProcess {
  /** The milliseconds that the process used until the bundle was loaded. */
  readonly loaded: { readonly cpuMs: number; readonly wallMs: number };
  /** Responds to events one after the other; rejects if a status is not 200. */
  answer(events: readonly object[]): Promise<Turn>;
}

const script = fileURLToPath(new URL('worker.cjs', import.meta.url));

/** Lets a new process load a bundle and do some work. */
export async function withProcess<Result>(
  { file, environment }: Bundle,
  work: (process: BundleProcess) => Promise<Result>,
): Promise<Result> {
  const child = fork(script, [file], { env: environment, execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  try {
    const loaded = (await receive(child, file)) as BundleProcess['loaded'];
    return await work({
      loaded,
      async answer(events) {
        const replied = receive(child, file);
        child.send([...events]);
        const { status, ...turn } = (await replied) as Turn & { status: number };
        if (status !== 200) throw new Error(`${file} answers ${status}: ${turn.body}`);
        return turn;
      },
    });
  } finally {
    child.kill();
  }
}

/** Lets a new process of a function do some work, on an engine or a proxy in front of it. */
export function inNewProcess<Result>(
  name: FunctionName,
  endpoint: string,
  work: (process: BundleProcess) => Promise<Result>,
): Promise<Result> {
  const { file, environment } = serviceBundle(name);
  return withProcess({ file, environment: { ...environment, ...buildEngineEnvironment(endpoint) } }, work);
}

async function receive(child: ChildProcess, file: string): Promise<unknown> {
  const over = new AbortController();
  const { signal } = over;
  const ended = once(child, 'exit', { signal }).then(() => {
    throw new Error(`The process of ${file} has ended.`);
  });
  try {
    const [message] = await Promise.race([once(child, 'message', { signal }), ended]);
    return message;
  } finally {
    // Nothing awaits this promise any more. Without the catch, its rejection would be unhandled.
    ended.catch(() => {});
    over.abort();
  }
}

/**
 * Starts a proxy to an engine that speaks TLS, as DynamoDB does: with an engine behind http: the SDK would load what it
 * never loads on AWS, and no connection would have to be secured. `environment` makes a process trust it.
 */
export async function startTlsProxy(engine: string) {
  mkdirSync(benchDirectory, { recursive: true });
  const [key, certificate] = ['key.pem', 'certificate.pem'].map((name) => join(benchDirectory, name)) as [
    string,
    string,
  ];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  execFileSync('openssl', ['req', '-x509', ...curve, '-days', '2', ...subject, '-keyout', key, '-out', certificate], {
    stdio: 'ignore',
  });
  const { hostname, port } = new URL(engine);
  const server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (outside) => {
    const inside = connect(Number(port), hostname);
    outside.pipe(inside).pipe(outside);
    // A process that has ended takes its connections with it.
    for (const socket of [outside, inside]) socket.on('error', () => {});
  });
  const endpoint = `https://localhost:${await listen(server, 0)}`;
  const environment = { ...buildEngineEnvironment(endpoint), NODE_EXTRA_CA_CERTS: certificate };
  return { environment, close: () => void server.close() };
}
