import { describe, expect, it } from 'vitest';
import { curlSample } from '../../../../infra/docs/samples/curl.ts';
import { phpSample } from '../../../../infra/docs/samples/php.ts';
import { pythonSample } from '../../../../infra/docs/samples/python.ts';
import type { SampleCall } from '../../../../infra/docs/samples/sample-call.ts';
import { typescriptSample } from '../../../../infra/docs/samples/typescript.ts';
import { demoAccount } from '../../../../infra/demo-account.ts';

const awkward = String.raw`it's "a" \ $TOKEN`;
const asRead = String.raw`'it\'s "a" \\ $TOKEN'`;
const call: SampleCall = {
  baseUrl: 'https://portal.example',
  account: demoAccount,
  operationId: 'declare-invoice',
  method: 'POST',
  path: '/apidev/v1/supplier-portal/invoices/declare',
  headers: { tenant: demoAccount.tenant, 'X-API-Key': demoAccount.apiKey },
  needsLogin: true,
  body: { a: awkward, b: null, c: true, d: [1.5] },
};

describe('a sample', () => {
  it('with curl keeps every character of a body from the shell, but for its token', () => {
    const sample = curlSample(call);
    expect(sample).toContain(String.raw`-d '{"a":"it'\''s \"a\" \\ $TOKEN","b":null,"c":true,"d":[1.5]}'`);
    expect(sample).toContain('-H "Authorization: Bearer $TOKEN"');
  });

  it.each([
    ['TypeScript', typescriptSample, `portal.declareInvoice({ a: ${asRead}, b: null, c: true, d: [1.5] })`],
    ['Python', pythonSample, String.raw`json={"a": "it's \"a\" \\ $TOKEN", "b": None, "c": True, "d": [1.5]},`],
    ['PHP', phpSample, `['a' => ${asRead}, 'b' => null, 'c' => true, 'd' => [1.5]]`],
  ])('in %s writes what it reads', (_, sampleOf, code) => {
    expect(sampleOf(call)).toContain(code);
  });
});
