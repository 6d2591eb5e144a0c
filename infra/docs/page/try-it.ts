import { answerView } from './answer.ts';
import { announce, findAll } from './elements.ts';
import { type Call, send } from './send.ts';
import { session } from './session-view.ts';
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
  const hadToken = session.credentials.token !== '';
  const outcome = await send(session, call);
  form.ariaBusy = null;
  form.querySelector('.answer')?.remove();
  form.append(answerView(call, outcome, { hadToken }));
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
