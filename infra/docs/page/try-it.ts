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
  const hadToken = credential('token') !== '';
  const outcome = await send(call);
  form.ariaBusy = null;
  form.querySelector('.answer')?.remove();
  form.append(answerView(call, outcome, hadToken));
  announce(`${text('answer')}: ${outcome.status || text('noAnswer')} ${outcome.statusText}`);
}

function callOf(form: HTMLFormElement): Call {
  const { method = '', path = '', credentials = '' } = form.dataset;
  const fields = [...form.querySelectorAll<Field>('[data-in]')].filter(({ value }) => value !== '');
  const at = (place: string) =>
    fields.filter(({ dataset }) => dataset['in'] === place).map(({ name, value }): [string, string] => [name, value]);
  const query = new URLSearchParams(at('query'));
  const filled = at('path').reduce((so, [name, value]) => so.replace(`{${name}}`, encodeURIComponent(value)), path);
  return {
    method,
    path: filled + (query.size > 0 ? `?${query}` : ''),
    credentials: credentials.split(' ').filter(Boolean),
    headers: Object.fromEntries(at('header')),
    body: form.querySelector<HTMLTextAreaElement>('[name=body]')?.value,
  };
}

/** What a call came to: status, time, request id, body; a call whose token is missing or refused says to log in. */
function answerView(call: Call, outcome: Outcome, hadToken: boolean): HTMLElement {
  const { status, statusText, milliseconds, headers } = outcome;
  const view = create('section', { className: 'answer', ariaLabel: text('answer') });
  const className = status >= 200 && status < 400 ? 'status' : 'status bad';
  const badge = create('b', { className }, status === 0 ? text('noAnswer') : `${status}`);
  view.append(create('p', {}, badge, ` ${statusText} `, create('small', {}, `${milliseconds} ms`)));
  if (status === 0) view.append(create('p', {}, text('noAnswerText')));
  if (status === 401 && call.credentials.includes('token')) {
    const advice = text(hadToken ? 'logInAgain' : 'logInFirst');
    view.append(create('p', {}, create('a', { href: '#authentication' }, advice)));
  }
  for (const name of ['X-Request-Id', 'Retry-After']) {
    const value = headers.get(name);
    if (value !== null) view.append(create('p', { className: 'header' }, `${name}: `, create('code', {}, value)));
  }
  if (outcome.text !== '') {
    const json = parse(outcome.text);
    const body = json === undefined ? outcome.text : JSON.stringify(json, null, 2);
    view.append(create('pre', { className: 'response-body', tabIndex: 0 }, create('code', {}, body)));
  }
  const { url, sent } = outcome;
  const lines = [...headers].map(([name, value]) => `${name}: ${value}\n`).join('');
  if (lines !== '') view.append(fold(text('headers'), lines));
  view.append(fold(text('sameCall'), curlCommand({ method: call.method, url, headers: sent, body: call.body })));
  return view;
}

function fold(title: string, content: string): HTMLElement {
  const block = create('pre', { tabIndex: 0 }, create('code', {}, content));
  return create('details', {}, create('summary', {}, title), block);
}
