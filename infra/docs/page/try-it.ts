import { curlCommand } from '../samples/curl.ts';
import { announce, create, findAll } from './elements.ts';
import { type Call, credential, type Outcome, parse, send } from './session.ts';
import { text } from './settings.ts';

type Field = HTMLInputElement | HTMLSelectElement;

/** Executes an operation when its form is sent, and shows the answer below it. */
export function offerTrials(): void {
  for (const form of findAll<HTMLFormElement>('form.try')) {
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void execute(form);
    });
  }
}

async function execute(form: HTMLFormElement): Promise<void> {
  // A button that is disabled would lose the focus.
  if (form.ariaBusy === 'true') return;
  form.ariaBusy = 'true';
  const call = callOf(form);
  const advice = text(credential('token') === '' ? 'logInFirst' : 'logInAgain');
  const outcome = await send(call);
  form.ariaBusy = null;
  form.querySelector('.answer')?.remove();
  form.append(answerView(call, outcome, advice));
  const { status, statusText } = outcome.response;
  announce(`${text('answer')}: ${status || text('noAnswer')} ${statusText}`);
}

function callOf(form: HTMLFormElement): Call {
  const { method = '', path = '', credentials = '' } = form.dataset;
  const fields = [...form.querySelectorAll<Field>('[data-in]')].filter(({ value }) => value !== '');
  const sentIn = (part: string) =>
    fields.filter(({ dataset }) => dataset['in'] === part).map(({ name, value }): [string, string] => [name, value]);
  const query = new URLSearchParams(sentIn('query'));
  const filled = sentIn('path').reduce((so, [name, value]) => so.replace(`{${name}}`, encodeURIComponent(value)), path);
  return {
    method,
    path: filled + (query.size > 0 ? `?${query}` : ''),
    credentials: credentials.split(' ').filter(Boolean),
    headers: Object.fromEntries(sentIn('header')),
    body: form.querySelector<HTMLTextAreaElement>('[name=body]')?.value,
  };
}

/** What a call came to: status, time, request id, body; a call whose token is missing or refused gets the advice. */
function answerView(call: Call, { url, sent, response, body, milliseconds }: Outcome, advice: string): HTMLElement {
  const { status, statusText, headers } = response;
  const className = response.ok ? 'status' : 'status bad';
  const badge = create('b', { className }, status === 0 ? text('noAnswer') : `${status}`);
  const view = create(
    'section',
    { className: 'answer', ariaLabel: text('answer') },
    create('p', {}, badge, ` ${statusText} `, create('small', {}, `${milliseconds} ms`)),
  );
  if (status === 0) view.append(create('p', {}, text('noAnswerText')));
  if (status === 401 && call.credentials.includes('token'))
    view.append(create('p', {}, create('a', { href: '#authentication' }, advice)));
  for (const name of ['X-Request-Id', 'Retry-After']) {
    const value = headers.get(name);
    if (value !== null) view.append(create('p', { className: 'header' }, `${name}: `, create('code', {}, value)));
  }
  const json = parse(body);
  if (body !== '') view.append(block(json === undefined ? body : JSON.stringify(json, null, 2), 'response-body'));
  const lines = [...headers].map(([name, value]) => `${name}: ${value}\n`).join('');
  if (lines !== '') view.append(fold(text('headers'), lines));
  view.append(fold(text('sameCall'), curlCommand({ method: call.method, url, headers: sent, body: call.body })));
  return view;
}

function fold(title: string, content: string): HTMLElement {
  return create('details', {}, create('summary', {}, title), block(content));
}

function block(content: string, className = ''): HTMLElement {
  return create('pre', { className, tabIndex: 0 }, create('code', {}, content));
}
