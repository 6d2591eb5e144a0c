import { expect, it } from 'vitest';
import { anyBody } from '../../../lib/legacy/any-body.ts';
import { aRequest } from '../../support/service/request-state.ts';

/** What the middleware makes of a body, whose bytes have been read before. */
async function readOf(body: string): Promise<unknown> {
  const state = aRequest<{ body?: unknown }>({});
  const event = { headers: { 'content-type': 'application/json' }, body, isBase64Encoded: false, state };
  await anyBody().before?.({ event } as never);
  return state.body;
}

it.each([
  ['9001', '9001'],
  ['9001.000', '9001'],
  ['10.50', 10.5],
  ['-9001', -9001],
  ['9.001e3', 9001],
  ['9007199254740992', 9007199254740992],
  ['"9001"', '9001'],
  ['null', null],
])('an id that is written as %s is read as %j, behind a byte order mark too', async (written, id) => {
  const body = `{"IdFactura": ${written}, "Importe": 9001}`;
  const read = { IdFactura: id, Importe: 9001 };
  expect(await readOf(body)).toEqual(read);
  expect(await readOf(`\uFEFF${body}`)).toEqual(read);
});
