import type { DemoAccount } from '../../demo-account.ts';
import { find } from './elements.ts';
import { serviceUrl, settings, text } from './settings.ts';

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

/** What a call came to; the status of no answer is 0. */
export interface Outcome {
  readonly url: string;
  readonly sent: Readonly<Record<string, string>>;
  readonly response: Response;
  readonly body: string;
  readonly milliseconds: number;
}

interface Answer {
  readonly data?: { readonly authorization?: string };
  readonly error?: { readonly code: string; readonly message: string };
}

const loginPath = '/apidev/v1/login';

/** The e-mail behind the token, if this page logged in. */
let email: string | undefined;
let expired = false;

/** Lets somebody log in, change the credentials and log out; they are kept in the form of the page alone. */
export function offerSession(demo: DemoAccount | undefined): void {
  const form = find('#log-in', HTMLFormElement);
  for (const [name, value] of Object.entries(demo ?? {})) field(name).value = value;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void logIn();
  });
  form.addEventListener('input', ({ target }) => {
    if (target === field('token')) email = undefined;
    expired = false;
    show();
  });
  find('#log-out', HTMLElement).addEventListener('click', () => {
    field('token').value = '';
    find('#log-in-outcome', HTMLElement).textContent = '';
    show();
    field('email').focus();
  });
  show();
}

/** A credential, without what is pasted along with it: the scheme of its header, line breaks. */
export function credential(name: string): string {
  return field(name).value.replace(/^\s*bearer\s+|\s+/gi, '');
}

/** Sends a call with the credentials of the session, which learns from its answer. */
export async function send({ method, path, credentials, headers, body }: Call): Promise<Outcome> {
  const url = serviceUrl() + path;
  const names: Readonly<Record<string, string>> = { tenant: 'tenant', token: 'Authorization', apiKey: 'X-API-Key' };
  const known = credentials.filter((name) => credential(name) !== '');
  const sent = {
    'Accept-Language': settings.language,
    ...Object.fromEntries(known.map((name) => [names[name], (name === 'token' ? 'Bearer ' : '') + credential(name)])),
    ...headers,
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  };
  const started = performance.now();
  const options = { method, headers: sent, body: body ?? null, cache: 'no-store', credentials: 'omit' } as const;
  const { response, answer } = await fetchText(url, options);
  learn(path, body, parse(answer));
  return { url, sent, response, body: answer, milliseconds: Math.round(performance.now() - started) };
}

/** An answer with its whole text; one that breaks off is none. */
async function fetchText(url: string, options: RequestInit): Promise<{ response: Response; answer: string }> {
  try {
    const response = await fetch(url, options);
    return { response, answer: await response.text() };
  } catch {
    return { response: Response.error(), answer: '' };
  }
}

/** A text as JSON, or undefined. */
export function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** A login gives a token, and a token that is too old is dropped. */
function learn(path: string, body: string | undefined, answer: unknown): void {
  const { data, error } = (answer ?? {}) as Answer;
  const token = path === loginPath ? data?.authorization : undefined;
  if (token === undefined && error?.code !== 'TOKEN_EXPIRED') return;
  field('token').value = token ?? '';
  if (token !== undefined) ({ email } = parse(body ?? '') as { email: string });
  expired = token === undefined;
  show();
}

async function logIn(): Promise<void> {
  const body = JSON.stringify({ email: field('email').value, password: field('password').value });
  const outcome = await send({ method: 'POST', path: loginPath, credentials: ['tenant', 'apiKey'], body });
  const { status } = outcome.response;
  const { error } = (parse(outcome.body) ?? {}) as Answer;
  const line = find('#log-in-outcome', HTMLElement);
  line.classList.toggle('bad', status !== 200);
  if (status === 200) line.textContent = `${text('loggedIn')} ${field('email').value}`;
  else line.textContent = status === 0 ? text('noAnswerText') : `${text('logInFailed')} ${error?.message ?? status}`;
}

function show(): void {
  find('#log-out', HTMLElement).hidden = credential('token') === '';
  find('#session', HTMLElement).textContent = stateText();
}

function stateText(): string {
  const [tenant, key] = [credential('tenant'), credential('apiKey')];
  if (credential('token') !== '') {
    const user = email === undefined ? text('enteredToken') : `${text('loggedIn')} ${email}`;
    return tenant ? `${user} ${text('inTenant', { tenant })}` : user;
  }
  if (expired) return `${text('expired')} ${text('logInAgain')}`;
  const missing = settings.tryIt?.demo === undefined ? 'noDemo' : 'neededCredentials';
  return `${text('notLoggedIn')} ${tenant && key ? text('filledIn', { tenant, key: key.slice(-4) }) : text(missing)}`;
}

function field(name: string): HTMLInputElement {
  return find(`#log-in [name=${name}]`, HTMLInputElement);
}
