import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { listen } from '../../../../infra/local/ports.ts';
import { benchDirectory } from '../bundles/esbuild.ts';

/** An engine behind TLS. */
export interface TlsDoor {
  readonly endpoint: string;
  /** The variables with which a process trusts it. */
  readonly environment: Readonly<Record<string, string>>;
  close(): void;
}

/**
 * Opens a door to an engine that speaks TLS, as DynamoDB does: with an engine behind http: the SDK would load what it
 * never loads on AWS, and no connection would have to be secured.
 */
export async function openTlsDoor(engine: string): Promise<TlsDoor> {
  const { key, certificate } = makeCertificate();
  const { hostname, port } = new URL(engine);
  const server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, (outside) => {
    const inside = connect(Number(port), hostname);
    outside.pipe(inside).pipe(outside);
    // A process that has ended takes its connections with it.
    for (const socket of [outside, inside]) socket.on('error', () => {});
  });
  return {
    endpoint: `https://localhost:${await listen(server, 0)}`,
    environment: { NODE_EXTRA_CA_CERTS: certificate },
    close: () => void server.close(),
  };
}

function makeCertificate(): { key: string; certificate: string } {
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
  return { key, certificate };
}
