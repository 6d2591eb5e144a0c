import type { Language } from '../../lib/domain/language.ts';
import type { SampleRequest } from '../demo-requests.ts';
import type { Exchange } from '../openapi/examples.ts';
import type { Case } from './cases.ts';

// What is new in every answer has the same value in each recording.
const BODY_VALUES: readonly (readonly [RegExp, string])[] = [
  [/"(declaration_id|IdDeclaracion)":"\d{19}"/g, '"$1":"1795243070161803765"'],
  [
    /"authorization":"[^"]+"/g,
    '"authorization":"eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIzMDAifQ.c2lnbmF0dXJl"',
  ],
];
const HEADER_VALUES: Readonly<Record<string, string>> = {
  'x-request-id': '06b91ca7-3045-40b3-83b9-a45252d78f7d',
  'x-ratelimit-reset': '1795243130',
  'retry-after': '60',
};

/** Makes requests of a running service in a language, and keeps what was said. */
export class Recorder {
  readonly exchanges: Exchange[] = [];
  readonly #url: string;
  readonly #language: Language;

  constructor(url: string, language: Language) {
    this.#url = url;
    this.#language = language;
  }

  /** Keeps what is answered to the cases, one after another: by the service, or as `answer` says. */
  async take(cases: readonly Case[], answer = (request: SampleRequest) => this.#send(request)): Promise<void> {
    for (const one of cases) {
      const response = await answer(one.request);
      const headers = [...response.headers].map(([name, value]) => [name, HEADER_VALUES[name] ?? value]);
      const text = await response.text();
      const body = BODY_VALUES.reduce((rest, [pattern, value]) => rest.replaceAll(pattern, value), text);
      this.exchanges.push({
        ...one,
        status: response.status,
        headers: Object.fromEntries(headers),
        body: JSON.parse(body) as unknown,
      });
    }
  }

  /** The same with a request to each operation, as a case of this name. */
  takeAll(
    requests: Readonly<Record<string, SampleRequest>>,
    name: string,
    summary: string,
    answer?: () => Promise<Response>,
  ): Promise<void> {
    const cases = Object.entries(requests).map(([operationId, request]) => ({ operationId, name, summary, request }));
    return this.take(cases, answer);
  }

  /** Sends a request several times without keeping anything. */
  async repeat(times: number, request: SampleRequest): Promise<void> {
    for (let sent = 0; sent < times; sent++) await this.#send(request);
  }

  /** Moves the clock of the service forward. */
  async advance(seconds: number): Promise<void> {
    await fetch(`${this.#url}/_local/clock`, { method: 'POST', body: JSON.stringify({ advance_seconds: seconds }) });
  }

  #send({ path, headers, ...request }: SampleRequest): Promise<Response> {
    return fetch(this.#url + path, { ...request, headers: { ...headers, 'Accept-Language': this.#language } });
  }
}
