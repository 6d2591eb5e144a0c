import type { Exchange } from './exchange.ts';

// What is new in every answer, and what stands for it in the document, so that two recordings are the same.
const BODY_STAND_INS: readonly (readonly [RegExp, string])[] = [
  [/"(declaration_id|IdDeclaracion)":"\d{19}"/g, '"$1":"1795243070161803765"'],
  [
    /"authorization":"[^"]+"/g,
    '"authorization":"eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIzMDAifQ.c2lnbmF0dXJl"',
  ],
];
const HEADER_STAND_INS: Readonly<Record<string, string>> = {
  'x-request-id': '06b91ca7-3045-40b3-83b9-a45252d78f7d',
  'x-ratelimit-reset': '1795243130',
  'retry-after': '60',
};

/** An answer with stand-ins for the values that no two answers share. */
export function withStandIns(
  headers: Readonly<Record<string, string>>,
  body: string,
): Pick<Exchange, 'headers' | 'body'> {
  const stable = BODY_STAND_INS.reduce((text, [pattern, standIn]) => text.replaceAll(pattern, standIn), body);
  return {
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, HEADER_STAND_INS[name] ?? value]),
    ),
    body: JSON.parse(stable) as unknown,
  };
}
