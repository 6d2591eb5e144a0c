import type { TargetedEvent } from 'preact';
import { useState } from 'preact/hooks';
import { createPortalClient, type PortalClient, type PortalClientOptions, wait } from '../../client/index.ts';
import { pageTexts as texts } from '../page-texts.ts';
import { describeFailure } from '../results.ts';
import { language, translate } from './language.ts';
import { reportWait } from './waits.ts';

type CompanyCredentials = Pick<PortalClientOptions, 'tenant' | 'apiKey'>;
type UserCredentials = Pick<PortalClientOptions, 'email' | 'password'>;

/** Asks for the credentials of the company and, in a form of its own, for those of the user, and logs in. */
export function LoginSection({ onLogin }: { onLogin: (client: PortalClient, email: string) => void }) {
  const [company, setCompany] = useState<CompanyCredentials | null>(null);
  return (
    <section>
      <h2>{translate(texts.access)}</h2>
      {company === null ? (
        <CompanyForm onSubmit={setCompany} />
      ) : (
        <UserForm company={company} onLogin={onLogin} onInvalidCompany={() => setCompany(null)} />
      )}
    </section>
  );
}

// Password managers store the value of a field of the type password. Therefore the API key has another type.
function CompanyForm({ onSubmit }: { onSubmit: (credentials: CompanyCredentials) => void }) {
  const submit = (event: TargetedEvent<HTMLFormElement, SubmitEvent>) => {
    event.preventDefault();
    const { tenant = '', apiKey = '' } = readForm(event.currentTarget);
    onSubmit({ tenant, apiKey });
  };
  return (
    <form onSubmit={submit} autocomplete="off">
      <label>
        {translate(texts.tenant)}
        <input name="tenant" required autocomplete="organization" spellcheck={false} />
      </label>
      <label>
        {translate(texts.apiKey)}
        <input name="apiKey" class="secret" required autocomplete="off" spellcheck={false} />
      </label>
      <p>{translate(texts.keyOwner)}</p>
      <button>{translate(texts.next)}</button>
    </form>
  );
}

interface UserFormProps {
  readonly company: CompanyCredentials;
  readonly onLogin: (client: PortalClient, email: string) => void;
  readonly onInvalidCompany: () => void;
}

function UserForm({ company, onLogin, onInvalidCompany }: UserFormProps) {
  const [message, setMessage] = useState('');
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: TargetedEvent<HTMLFormElement, SubmitEvent>) => {
    event.preventDefault();
    const { email = '', password = '' } = readForm(event.currentTarget);
    setBusy(true);
    setMessage('');
    reportWait.current = (seconds) => setMessage(translate(texts.waiting(String(Math.ceil(seconds)))));
    try {
      onLogin(await logIn({ ...company, email, password }), email);
    } catch (error) {
      // The client throws a TypeError for a value that no header can contain.
      setMessage(translate(error instanceof TypeError ? texts.invalidCredentials : describeFailure(error)));
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <label>
        {translate(texts.email)}
        <input name="email" type="email" required autocomplete="username" spellcheck={false} />
      </label>
      <label>
        {translate(texts.password)}
        <input name="password" type="password" required autocomplete="current-password" />
      </label>
      <button disabled={isBusy}>{translate(texts.logIn)}</button>
      <button type="button" disabled={isBusy} onClick={onInvalidCompany}>
        {translate(texts.back)}
      </button>
      <p role="alert">{message}</p>
    </form>
  );
}

/** Returns the texts of the fields of a form by name. */
function readForm(form: HTMLFormElement): Readonly<Record<string, string>> {
  return Object.fromEntries(new FormData(form)) as Record<string, string>;
}

/** Creates a client of the service that serves the page, and checks the credentials with a list. */
async function logIn(credentials: CompanyCredentials & UserCredentials): Promise<PortalClient> {
  const client = createPortalClient({
    ...credentials,
    // The page is in a folder of the API.
    baseUrl: new URL('..', location.href).href,
    language,
    wait(seconds, signal) {
      reportWait.current(seconds);
      return wait(seconds, signal);
    },
  });
  // A login alone does not check the API key.
  const today = new Date().toISOString().slice(0, 'yyyy-mm-dd'.length);
  await client.listInvoices({ startdate: today, enddate: today, limit: 1 });
  return client;
}
