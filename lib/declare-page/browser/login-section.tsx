import type { TargetedEvent } from 'preact';
import { useState } from 'preact/hooks';
import { createPortalClient, type PortalClient, type PortalClientOptions, wait } from '../../client/index.ts';
import { pageTexts } from '../page-texts.ts';
import { describeFailure } from '../describe-failure.ts';
import { language, translate } from './language.ts';

type CompanyCredentials = Pick<PortalClientOptions, 'tenant' | 'apiKey'>;
type UserCredentials = Pick<PortalClientOptions, 'email' | 'password'>;

interface LoginProps {
  readonly onLogin: (client: PortalClient, email: string) => void;
  /** Receives the seconds of each wait of the client, and 0 after the wait. */
  readonly onWait: (seconds: number) => void;
}

/** The section in which a clerk enters the credentials of the company, and then logs in as a user. */
export function LoginSection(props: LoginProps) {
  const [company, setCompany] = useState<CompanyCredentials | null>(null);
  return (
    <section>
      <h2>{translate(pageTexts.access)}</h2>
      {company === null ? (
        <CompanyForm onSubmit={setCompany} />
      ) : (
        <UserForm {...props} company={company} onInvalidCompany={() => setCompany(null)} />
      )}
    </section>
  );
}

function CompanyForm({ onSubmit }: { onSubmit: (credentials: CompanyCredentials) => void }) {
  const submit = (event: TargetedEvent<HTMLFormElement, SubmitEvent>) => {
    event.preventDefault();
    const { tenant = '', apiKey = '' } = readForm(event.currentTarget);
    onSubmit({ tenant, apiKey });
  };
  return (
    <form onSubmit={submit} autocomplete="off">
      <label>
        {translate(pageTexts.tenant)}
        <input name="tenant" required autocomplete="organization" spellcheck={false} />
      </label>
      {/* Password managers store the value of a field of the type password. Therefore the API key has another type. */}
      <label>
        {translate(pageTexts.apiKey)}
        <input name="apiKey" class="secret" required autocomplete="off" spellcheck={false} />
      </label>
      <p>{translate(pageTexts.keyOwner)}</p>
      <button>{translate(pageTexts.next)}</button>
    </form>
  );
}

interface UserFormProps extends LoginProps {
  readonly company: CompanyCredentials;
  readonly onInvalidCompany: () => void;
}

function UserForm({ company, onLogin, onWait, onInvalidCompany }: UserFormProps) {
  const [message, setMessage] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const submit = async (event: TargetedEvent<HTMLFormElement, SubmitEvent>) => {
    event.preventDefault();
    const { email = '', password = '' } = readForm(event.currentTarget);
    setIsBusy(true);
    setMessage('');
    try {
      onLogin(await logIn({ ...company, email, password }, onWait), email);
    } catch (error) {
      // The client throws a TypeError for a value that no header can contain.
      setMessage(translate(error instanceof TypeError ? pageTexts.invalidCredentials : describeFailure(error)));
      setIsBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <label>
        {translate(pageTexts.email)}
        <input name="email" type="email" required autocomplete="username" spellcheck={false} />
      </label>
      <label>
        {translate(pageTexts.password)}
        <input name="password" type="password" required autocomplete="current-password" />
      </label>
      <button disabled={isBusy}>{translate(pageTexts.logIn)}</button>
      <button type="button" disabled={isBusy} onClick={onInvalidCompany}>
        {translate(pageTexts.back)}
      </button>
      <p role="alert">{message}</p>
    </form>
  );
}

function readForm(form: HTMLFormElement): Readonly<Record<string, string>> {
  return Object.fromEntries(new FormData(form)) as Record<string, string>;
}

/** Creates a client of the service that serves the page. Lists invoices once, because a login does not check the API key. */
async function logIn(
  credentials: CompanyCredentials & UserCredentials,
  onWait: LoginProps['onWait'],
): Promise<PortalClient> {
  const client = createPortalClient({
    ...credentials,
    // The page is in a folder of the API.
    baseUrl: new URL('..', location.href).href,
    language,
    async wait(seconds, signal) {
      onWait(seconds);
      await wait(seconds, signal).finally(() => onWait(0));
    },
  });
  const today = new Date().toISOString().slice(0, 'yyyy-mm-dd'.length);
  await client.listInvoices({ startdate: today, enddate: today, limit: 1 });
  return client;
}
