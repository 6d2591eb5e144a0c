import type { Account } from './settings.ts';

/** The names of what goes along with every call. */
export const credentialNames = ['tenant', 'apiKey', 'token'] as const;

/** What goes along with every call. */
export type Credentials = { [Name in (typeof credentialNames)[number]]: string };

/** Where somebody logs in. */
export const loginPath = '/apidev/v1/login';

/** Who is logged in: kept in the memory of the page alone. */
export class Session {
  readonly credentials: Credentials;
  /** The token that was refused last was too old. */
  expired = false;
  readonly #emailOf = new Map<string, string>();
  readonly #changed: (() => void)[] = [];

  constructor(demo: Account | undefined) {
    this.credentials = { tenant: demo?.tenant ?? '', apiKey: demo?.apiKey ?? '', token: '' };
  }

  /** The e-mail behind the token, if this page logged in. */
  get email(): string | undefined {
    return this.#emailOf.get(this.credentials.token);
  }

  /** Calls back now and with every change. */
  watch(changed: () => void): void {
    this.#changed.push(changed);
    changed();
  }

  use(credentials: Partial<Credentials>): void {
    Object.assign(this.credentials, credentials);
    this.expired = false;
    this.#tell();
  }

  /** Learns from an answer: a login gives a token, and a token that is too old is dropped. */
  learn(path: string, sent: string | undefined, answer: unknown): void {
    const { data, error } = (answer ?? {}) as { data?: { authorization?: string }; error?: { code?: string } };
    if (path === loginPath && data?.authorization !== undefined) {
      const { email } = JSON.parse(sent ?? '{}') as { email: string };
      this.#emailOf.set(data.authorization, email);
      this.use({ token: data.authorization });
    } else if (error?.code === 'TOKEN_EXPIRED') {
      this.credentials.token = '';
      this.expired = true;
      this.#tell();
    }
  }

  #tell(): void {
    for (const changed of this.#changed) changed();
  }
}
