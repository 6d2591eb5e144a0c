import { create, find } from './elements.ts';
import { type Account, serviceUrl, settings, text } from './settings.ts';

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

/** What a call came to; without an answer `status` is 0, and `statusText` says why. */
export interface Outcome {
  readonly url: string;
  readonly sent: Readonly<Record<string, string>>;
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly text: string;
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
export function offerSession(demo: Account | undefined): void {
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
  const known: Readonly<Record<string, readonly [string, string]>> = {
    tenant: ['tenant', credential('tenant')],
    token: ['Authorization', credential('token') && `Bearer ${credential('token')}`],
    apiKey: ['X-API-Key', credential('apiKey')],
  };
  const sent = {
    'Accept-Language': settings.language,
    ...Object.fromEntries(credentials.map((name) => known[name] ?? [name, '']).filter(([, value]) => value !== '')),
    ...headers,
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  };
  const started = performance.now();
  const milliseconds = () => Math.round(performance.now() - started);
  try {
    const options = { method, headers: sent, body: body ?? null, cache: 'no-store' } as const;
    const response = await fetch(url, { ...options, credentials: 'omit' });
    const answer = await response.text();
    learn(path, body, parse(answer));
    const { status, statusText } = response;
    return { url, sent, status, statusText, headers: response.headers, text: answer, milliseconds: milliseconds() };
  } catch (error) {
    const none = { status: 0, statusText: String(error), headers: new Headers(), text: '' };
    return { url, sent, ...none, milliseconds: milliseconds() };
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
  if (token !== undefined) {
    field('token').value = token;
    ({ email } = parse(body ?? '') as { email: string });
  } else if (error?.code === 'TOKEN_EXPIRED') field('token').value = '';
  else return;
  expired = token === undefined;
  show();
}

async function logIn(): Promise<void> {
  const body = JSON.stringify({ email: field('email').value, password: field('password').value });
  const outcome = await send({ method: 'POST', path: loginPath, credentials: ['tenant', 'apiKey'], body });
  const line = find('#log-in-outcome', HTMLElement);
  const { error } = (parse(outcome.text) ?? {}) as Answer;
  line.classList.toggle('bad', outcome.status !== 200);
  if (outcome.status === 200) line.textContent = `${text('loggedIn')} ${field('email').value}`;
  else if (outcome.status === 0) line.textContent = text('noAnswerText');
  else line.textContent = `${text('logInFailed')} ${error?.message ?? outcome.status}`;
}

function show(): void {
  const [tenant, apiKey, token] = ['tenant', 'apiKey', 'token'].map(credential) as [string, string, string];
  const line = find('#session', HTMLElement);
  find('#log-out', HTMLElement).hidden = token === '';
  const bold = (content: string) => create('b', {}, content);
  if (token !== '') {
    const user = email === undefined ? [text('enteredToken')] : [`${text('loggedIn')} `, bold(email)];
    line.replaceChildren(...user, tenant && ` ${text('inTenant', { tenant })}`);
  } else if (expired) line.replaceChildren(bold(text('expired')), ` ${text('logInAgain')}`);
  else {
    const missing = settings.tryIt?.demo === undefined ? 'noDemo' : 'neededCredentials';
    const rest = tenant && apiKey ? text('filledIn', { tenant, key: apiKey.slice(-4) }) : text(missing);
    line.replaceChildren(bold(text('notLoggedIn')), ` ${rest}`);
  }
}

function field(name: string): HTMLInputElement {
  return find(`#log-in [name=${name}]`, HTMLInputElement);
}
