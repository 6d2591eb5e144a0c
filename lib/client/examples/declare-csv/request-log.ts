import type { Fetch } from '../../index.ts';

/** Observes the requests of the client, to find out whether a failed call may have had an effect. */
export class RequestLog {
  /** `X-Request-Id` of the last response. */
  requestId: string | null = null;
  /** The URL of the last attempt of the call: a call can end with a login that failed. */
  lastUrl = '';
  /** True if the service rejected every attempt of the call. After no response, or a 5xx, its effect is not known. */
  isRejected = true;
  /** Sends the requests of the client. */
  readonly fetch: Fetch;

  constructor(send: Fetch = globalThis.fetch) {
    this.fetch = async (url, init) => {
      const wasRejected = this.isRejected;
      this.lastUrl = url;
      this.isRejected = wasRejected && url.endsWith('/login');
      const response = await send(url, init);
      if (response.status >= 400 && response.status < 500) this.isRejected = wasRejected;
      this.requestId = response.headers.get('x-request-id');
      return response;
    };
  }

  /** Forgets the attempts of earlier calls. */
  beginCall(): void {
    this.lastUrl = '';
    this.isRejected = true;
  }
}
