import type { Language } from '../../lib/domain/language.ts';
import type { SampleRequest } from '../local/demo-requests.ts';
import type { Case, Exchange } from './exchange.ts';
import { withStandIns } from './stand-ins.ts';

/** Makes requests of a running service in a language, and keeps what was said. */
export class Recorder {
  readonly exchanges: Exchange[] = [];
  readonly #url: string;
  readonly #language: Language;

  constructor(url: string, language: Language) {
    this.#url = url;
    this.#language = language;
  }

  /** Sends the cases one after another, to the service or to another gateway. */
  async take(cases: readonly Case[], url = this.#url): Promise<void> {
    for (const one of cases) {
      const response = await this.#send(url, one.request);
      const answer = withStandIns(Object.fromEntries(response.headers), await response.text());
      this.exchanges.push({ ...one, status: response.status, ...answer });
    }
  }

  /** Sends a request to each operation, to the service or to another gateway, as a case of this name. */
  async takeAll(
    requests: Readonly<Record<string, SampleRequest>>,
    name: string,
    summary: string,
    url = this.#url,
  ): Promise<void> {
    for (const [operationId, request] of Object.entries(requests)) {
      await this.take([{ operationId, name, summary, request }], url);
    }
  }

  /** Sends a request several times without keeping anything. */
  async repeat(times: number, request: SampleRequest): Promise<void> {
    for (let sent = 0; sent < times; sent++) await this.#send(this.#url, request);
  }

  /** Moves the clock of the service forward. */
  async advance(seconds: number): Promise<void> {
    await fetch(`${this.#url}/_local/clock`, { method: 'POST', body: JSON.stringify({ advance_seconds: seconds }) });
  }

  #send(url: string, { path, headers, ...request }: SampleRequest): Promise<Response> {
    return fetch(url + path, { ...request, headers: { ...headers, 'Accept-Language': this.#language } });
  }
}
