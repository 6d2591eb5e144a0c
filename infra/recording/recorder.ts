import type { RecordedCase } from '../../lib/contracts/contract-doc.ts';
import { type Language, LANGUAGES } from '../../lib/domain/language.ts';
import type { Exchange } from '../openapi/examples.ts';
import type { Change, SampleOperation, SampleRequest } from '../sample-requests.ts';
import { API_KEYS } from './cases.ts';

// Values that are new in every response, and the same in each recording.
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

/** Sends requests to a running service, and records the responses. */
export class Recorder {
  readonly exchanges: Readonly<Record<Language, Exchange[]>> = { en: [], es: [] };
  readonly #url: string;
  readonly #tokens: ReadonlyMap<string, string>;

  /** `tokens`: those of the users of the cases, by e-mail address. */
  constructor(url: string, tokens: ReadonlyMap<string, string>) {
    this.#url = url;
    this.#tokens = tokens;
  }

  /**
   * Records the cases of an operation one after another: the responses of the service, or those of `respond`. Throws
   * for a response with another error code than its case.
   */
  async take(
    language: Language,
    { name: operationId, request: build }: SampleOperation,
    cases: readonly RecordedCase[],
    respond = (request: SampleRequest) => this.#send(request, language),
  ): Promise<void> {
    for (const recorded of cases) {
      const { code, name = code === 'OK' ? 'success' : code, input = {}, headers = {}, user } = recorded;
      const request = build({ input, headers: { ...this.#credentialsOf(user), ...headers } });
      const response = await respond(request);
      const text = await response.text();
      const stable = BODY_VALUES.reduce((rest, [pattern, value]) => rest.replaceAll(pattern, value), text);
      const body = JSON.parse(stable) as { error?: { code: string }; Resultado?: { Codigo: string } };
      const received = body.error?.code ?? body.Resultado?.Codigo ?? 'OK';
      if (received !== code) throw new Error(`${operationId}, ${name}: the code is ${received}, expected ${code}.`);
      this.exchanges[language].push({
        ...{ operationId, name, summary: recorded[language], request, status: response.status, body },
        headers: Object.fromEntries([...response.headers].map(([key, value]) => [key, HEADER_VALUES[key] ?? value])),
      });
    }
  }

  /** Records one case of each operation, in every language. */
  async takeAll(
    operations: readonly SampleOperation[],
    recorded: RecordedCase,
    respond?: () => Promise<Response>,
  ): Promise<void> {
    for (const language of LANGUAGES) {
      for (const operation of operations) await this.take(language, operation, [recorded], respond);
    }
  }

  /** Sends a request several times without recording it. */
  async repeat(times: number, operation: SampleOperation, change?: Change): Promise<void> {
    for (let sent = 0; sent < times; sent++) await this.#send(operation.request(change), 'en');
  }

  /** Moves the clock of the service forward. */
  async advance(seconds: number): Promise<void> {
    await fetch(`${this.#url}/_local/clock`, { method: 'POST', body: JSON.stringify({ advance_seconds: seconds }) });
  }

  #credentialsOf(user: string | undefined): Record<string, string> {
    if (user === undefined) return {};
    const tenant = user.replace(/.*@/, '');
    return { tenant, Authorization: `Bearer ${this.#tokens.get(user)}`, 'X-API-Key': API_KEYS[tenant] ?? '' };
  }

  #send({ path, headers, ...request }: SampleRequest, language: Language): Promise<Response> {
    return fetch(this.#url + path, { ...request, headers: { ...headers, 'Accept-Language': language } });
  }
}
