import { highlight } from '../render/highlight.ts';
import { curlCommand } from '../samples/curl-command.ts';
import { create } from './elements.ts';
import type { Call, Outcome } from './send.ts';
import { text } from './settings.ts';

/** What a call came to: status, time, request id, body; a call whose token is missing or refused says to log in. */
export function answerView(call: Call, outcome: Outcome, { hadToken }: { readonly hadToken: boolean }): HTMLElement {
  const { status, statusText, milliseconds } = outcome;
  const view = create('section', { className: 'answer' });
  view.setAttribute('aria-label', text('answer'));
  const good = status >= 200 && status < 400;
  const badge = create(
    'b',
    { className: good ? 'status' : 'status bad' },
    status === 0 ? text('noAnswer') : `${status}`,
  );
  view.append(
    create('p', { className: 'outcome' }, badge, ` ${statusText} `, create('small', {}, `${milliseconds} ms`)),
  );
  if (status === 0) view.append(create('p', {}, text('noAnswerText')));
  if (status === 401 && call.credentials.includes('token'))
    view.append(link('#authentication', text(hadToken ? 'logInAgain' : 'logInFirst')));
  for (const name of ['X-Request-Id', 'Retry-After']) view.append(...headerLine(name, outcome));
  if (outcome.text !== '') view.append(body(outcome));
  if (outcome.headers.length > 0)
    view.append(fold(text('headers'), outcome.headers.map(([name, value]) => `${name}: ${value}\n`).join('')));
  const { url, sent } = outcome;
  view.append(fold(text('sameCall'), curlCommand({ method: call.method, url, headers: sent, body: call.body })));
  return view;
}

function body({ text: sent, json }: Outcome): HTMLElement {
  const code = create('code');
  // The text is escaped before it is marked.
  if (json === undefined) code.textContent = sent;
  else code.innerHTML = highlight(JSON.stringify(json, null, 2)).text;
  return block(code, 'response-body');
}

/** A header that somebody looks for; nothing where the answer has none. */
function headerLine(name: string, { headers }: Outcome): HTMLElement[] {
  const value = headers.find(([one]) => one === name.toLowerCase())?.[1];
  return value === undefined ? [] : [create('p', { className: 'header' }, `${name}: `, create('code', {}, value))];
}

function fold(title: string, content: string): HTMLElement {
  return create('details', {}, create('summary', {}, title), block(create('code', {}, content)));
}

function block(code: HTMLElement, className = ''): HTMLElement {
  return create('pre', { className, tabIndex: 0 }, code);
}

function link(href: string, content: string): HTMLElement {
  return create('p', { className: 'log-in-first' }, create('a', { href }, content));
}
