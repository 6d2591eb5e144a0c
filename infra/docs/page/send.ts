import type { Session } from './session.ts';
import { serviceUrl, settings } from './settings.ts';

/** A call to the service. */
export interface Call {
  readonly method: string;
  /** With its query, without the address of the service. */
  readonly path: string;
  /** Which credentials go along, by the names of the document. */
  readonly credentials: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** What a call came to; without an answer `status` is 0. */
export interface Outcome {
  readonly url: string;
  readonly sent: Readonly<Record<string, string>>;
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly text: string;
  /** The text as JSON, or undefined. */
  readonly json: unknown;
  readonly milliseconds: number;
}

/** Sends a call with the credentials of the session, which learns from its answer. */
export async function send(session: Session, call: Call): Promise<Outcome> {
  const url = serviceUrl() + call.path;
  const { tenant, apiKey, token } = session.credentials;
  const known: Readonly<Record<string, readonly [string, string]>> = {
    tenant: ['tenant', tenant],
    token: ['Authorization', token && `Bearer ${token}`],
    apiKey: ['X-API-Key', apiKey],
  };
  const credentials = call.credentials.map((name) => known[name] ?? [name, '']).filter(([, value]) => value !== '');
  const sent = {
    'Accept-Language': settings.language,
    ...Object.fromEntries(credentials),
    ...call.headers,
    ...(call.body !== undefined && { 'Content-Type': 'application/json' }),
  };
  const started = performance.now();
  const outcome = { url, sent, headers: [], text: '', json: undefined };
  try {
    const { method, body = null } = call;
    const response = await fetch(url, { method, headers: sent, body, credentials: 'omit', cache: 'no-store' });
    const text = await response.text();
    const milliseconds = Math.round(performance.now() - started);
    const json = parse(text);
    session.learn(call.path, call.body, json);
    const { status, statusText } = response;
    return { ...outcome, status, statusText, headers: [...response.headers], text, json, milliseconds };
  } catch (error) {
    const milliseconds = Math.round(performance.now() - started);
    return { ...outcome, status: 0, statusText: String(error), milliseconds };
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
