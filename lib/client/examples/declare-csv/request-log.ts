type Fetch = typeof globalThis.fetch;

/** Listens to what the client sends: the last request, the id of the last answer, and whether a call had an effect. */
export class RequestLog {
  /** `X-Request-Id` of the last answer. */
  requestId: string | null = null;
  readonly #fetch: Fetch;
  /** Those of a call; their status is null where nothing was answered. */
  #attempts: { readonly url: string; status: number | null }[] = [];

  constructor(fetch: Fetch = globalThis.fetch) {
    this.#fetch = fetch;
  }

  /** Of the last attempt of the call; a call may end with a login that failed. */
  get lastUrl(): string | undefined {
    return this.#attempts.at(-1)?.url;
  }

  /** For the client to send its requests with. */
  readonly fetch: Fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : input.toString();
    const attempt = { url, status: null as number | null };
    this.#attempts.push(attempt);
    const response = await this.#fetch(input, init);
    attempt.status = response.status;
    this.requestId = response.headers.get('x-request-id');
    return response;
  };

  /** Forgets the attempts of earlier calls. */
  beginCall(): void {
    this.#attempts = [];
  }

  /** Whether the service refused every attempt of the call. After no answer, or a 5xx, nobody knows what was done. */
  wasRefused(): boolean {
    const attempts = this.#attempts.filter(({ url }) => !url.endsWith('/login'));
    return attempts.every(({ status }) => status !== null && status >= 400 && status < 500);
  }
}
