import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { buildEngineEnvironment } from '../../../infra/local/engine-client.ts';
import { listen } from '../../../infra/local/ports.ts';
import { benchDirectory, type Bundle, type FunctionName, getServiceBundle } from './bundles.ts';

/** The milliseconds that a process used for a turn, the usage of each request, and the text of the last response. */
export interface Turn {
  readonly cpuMs: number;
  readonly wallMs: readonly number[];
  /** The round trips and capacity units that the log line of each request contains. */
  readonly usages: readonly { readonly roundTrips: number; readonly units: number }[];
  readonly body: string;
}

/** A process that has loaded a bundle. */
export interface BundleProcess {
  /** The milliseconds that the process used until the bundle was loaded. */
  readonly loaded: { readonly cpuMs: number; readonly wallMs: number };
  /** Handles events one after the other. Rejects if a status is not 200; the turn is the cause of the error. */
  handle(events: readonly object[]): Promise<Turn>;
}

const script = fileURLToPath(new URL('worker.cjs', import.meta.url));

/** Runs some work with a new process that has loaded a bundle. */
export async function withProcess<Result>(
  { file, environment }: Bundle,
  work: (process: BundleProcess) => Promise<Result>,
): Promise<Result> {
  const child = fork(script, [file], { env: environment, execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  try {
    const loaded = (await receive(child, file)) as BundleProcess['loaded'];
    return await work({
      loaded,
      async handle(events) {
        const reply = receive(child, file);
        child.send([...events]);
        const { status, ...turn } = (await reply) as Turn & { status: number };
        if (status !== 200) throw new Error(`${file} returned ${status}: ${turn.body}`, { cause: turn });
        return turn;
      },
    });
  } finally {
    child.kill();
  }
}

/** Runs some work with a new process of a function that calls the engine or proxy at the endpoint. */
export function withFunctionProcess<Result>(
  name: FunctionName,
  endpoint: string,
  work: (process: BundleProcess) => Promise<Result>,
): Promise<Result> {
  const { file, environment } = getServiceBundle(name);
  return withProcess({ file, environment: { ...environment, ...buildEngineEnvironment(endpoint) } }, work);
}

async function receive(child: ChildProcess, file: string): Promise<unknown> {
  const controller = new AbortController();
  const { signal } = controller;
  const ended = once(child, 'exit', { signal }).then(() => {
    throw new Error(`The process of ${file} has ended.`);
  });
  try {
    const [message] = await Promise.race([once(child, 'message', { signal }), ended]);
    return message;
  } finally {
    // Nothing awaits this promise any more. Without the catch, its rejection would be unhandled.
    ended.catch(() => {});
    controller.abort();
  }
}

/**
 * Starts a TLS proxy in front of an engine. Over plain HTTP, the SDK would load code that it never loads on AWS, and
 * would open no TLS connection. `environment` makes a process use and trust the proxy.
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
    // When a process ends, its connections are reset.
    for (const socket of [outside, inside]) socket.on('error', () => {});
  });
  const endpoint = `https://localhost:${await listen(server, 0)}`;
  const environment = { ...buildEngineEnvironment(endpoint), NODE_EXTRA_CA_CERTS: certificate };
  return { environment, close: () => void server.close() };
}
