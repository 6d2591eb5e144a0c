import { create, find } from './elements.ts';
import { send } from './send.ts';
import { credentialNames, loginPath, Session } from './session.ts';
import { type Account, settings, text } from './settings.ts';

/** The session of this page. */
export const session = new Session(settings.tryIt?.demo);

/** Says who is logged in, and lets somebody log in and change the credentials. */
export function offerSession({ demo }: { readonly demo?: Account }): void {
  session.watch(() => show(demo !== undefined));
  offerCredentials();
  offerLogIn(demo);
}

function show(hasDemo: boolean): void {
  const { tenant, apiKey, token } = session.credentials;
  const line = find('#session', HTMLElement);
  line.dataset['state'] = token === '' ? 'out' : 'in';
  find('#log-out', HTMLElement).hidden = token === '';
  const bold = (content: string) => create('b', {}, content);
  if (token !== '') {
    const user = session.email === undefined ? [text('enteredToken')] : [`${text('loggedIn')} `, bold(session.email)];
    line.replaceChildren(...user, tenant && ` ${text('inTenant', { tenant })}`);
  } else if (session.expired) line.replaceChildren(bold(text('expired')), ` ${text('logInAgain')}`);
  else {
    const missing = hasDemo ? 'neededCredentials' : 'noDemo';
    const rest = tenant && apiKey ? text('filledIn', { tenant, key: apiKey.slice(-4) }) : text(missing);
    line.replaceChildren(bold(text('notLoggedIn')), ` ${rest}`);
  }
}

function offerCredentials(): void {
  find('#log-out', HTMLElement).addEventListener('click', () => {
    session.use({ token: '' });
    find('#change-credentials', HTMLElement).focus();
  });
  const dialog = find('#credentials', HTMLDialogElement);
  const field = (name: string) => find(`[name=${name}]`, HTMLElement, dialog) as HTMLInputElement | HTMLTextAreaElement;
  find('#change-credentials', HTMLElement).addEventListener('click', () => {
    for (const name of credentialNames) field(name).value = session.credentials[name];
    // Escape leaves what the last closing said.
    dialog.returnValue = '';
    dialog.showModal();
  });
  dialog.addEventListener('close', () => {
    if (dialog.returnValue !== 'use') return;
    session.use(Object.fromEntries(credentialNames.map((name) => [name, plain(field(name).value)])));
  });
}

/** Without what is pasted along with a credential: the scheme of its header, and the line breaks of a terminal. */
function plain(pasted: string): string {
  return pasted.replace(/^\s*bearer\s+|\s+/gi, '');
}

function offerLogIn(demo: Account | undefined): void {
  const form = find('#log-in', HTMLFormElement);
  const field = (name: string) => find(`[name=${name}]`, HTMLInputElement, form);
  field('email').value = demo?.email ?? '';
  field('password').value = demo?.password ?? '';
  session.watch(() => {
    // What the last login came to is no longer true.
    find('#log-in-outcome', HTMLElement).textContent = '';
    field('tenant').value = session.credentials.tenant;
    field('apiKey').value = session.credentials.apiKey;
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void logIn(form);
  });
}

async function logIn(form: HTMLFormElement): Promise<void> {
  const {
    tenant = '',
    apiKey = '',
    email,
    password,
  } = Object.fromEntries(new FormData(form)) as Record<string, string>;
  session.use({ tenant: plain(tenant), apiKey: plain(apiKey) });
  const body = JSON.stringify({ email, password });
  const outcome = await send(session, { method: 'POST', path: loginPath, credentials: ['tenant', 'apiKey'], body });
  const line = find('#log-in-outcome', HTMLElement);
  const { error } = (outcome.json ?? {}) as { error?: { message: string } };
  line.classList.toggle('bad', outcome.status !== 200);
  if (outcome.status === 200) line.textContent = `${text('loggedIn')} ${email}`;
  else if (outcome.status === 0) line.textContent = text('noAnswerText');
  else line.textContent = `${text('logInFailed')} ${error?.message ?? outcome.status}`;
}
