import { render } from 'preact';
import { useState } from 'preact/hooks';
import type { PortalClient } from '../../client/index.ts';
import { pageTexts } from '../page-texts.ts';
import { FileSection } from './file-section.tsx';
import { language, otherLanguage, translate } from './language.ts';
import { LoginSection } from './login-section.tsx';

function Page() {
  const [waitSeconds, setWaitSeconds] = useState(0);
  const [session, setSession] = useState<{ client: PortalClient; email: string } | null>(null);
  return (
    <>
      <header>
        <h1>{translate(pageTexts.title)}</h1>
        <nav>
          <a href={`guide.${language}.html`} target="_blank">
            {translate(pageTexts.help)}
          </a>
          <a href={`?language=${otherLanguage}`} lang={otherLanguage}>
            {translate(pageTexts.otherLanguage)}
          </a>
        </nav>
      </header>
      <p role="status" class="wait">
        {waitSeconds > 0 && translate(pageTexts.waiting(waitSeconds))}
      </p>
      <main>
        {session === null ? (
          <LoginSection onLogin={(client, email) => setSession({ client, email })} onWait={setWaitSeconds} />
        ) : (
          <>
            <p>
              {session.email} <button onClick={logOut}>{translate(pageTexts.logOut)}</button>
            </p>
            <FileSection client={session.client} />
          </>
        )}
      </main>
    </>
  );
}

/** Ends the session, which exists only in the memory of the page. */
const logOut = () => location.reload();

document.documentElement.lang = language;
document.title = translate(pageTexts.title);
render(<Page />, document.body);
