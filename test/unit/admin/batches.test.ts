import { describe, expect, it } from 'vitest';
import { compileSchema } from '../../../lib/admin/find-errors.ts';
import { buildBatches, applyZone } from '../../../lib/admin/import/batches.ts';
import { ZONE } from '../../../lib/domain/zone.ts';
import { recordSchema } from '../../../lib/admin/import/record-schema.ts';

function valueIn(zone: string, value: unknown): unknown {
  const read = applyZone({ line: 1, source: '{}', value }, zone);
  return 'value' in read && read.value;
}

const findErrors = compileSchema(recordSchema);

describe('a zone for dates without one', () => {
  it('is written as ISO 8601 has it', () => {
    const zones = ['-03:00', '+00:00', 'Z', '+05:30', '-12:00', '+14:00'];
    const others = ['-3', '-03', '-0300', '03:00', '-03:60', '-15:00', 'z', '', '-03:00 ', 'America/Buenos_Aires'];
    expect([...zones, ...others].filter((zone) => ZONE.test(zone))).toEqual(zones);
  });

  it.each([
    ['2026-08-31', '2026-08-31T00:00:00-03:00'],
    ['2026-08-31T22:30', '2026-08-31T22:30-03:00'],
    ['2026-08-31T22:30:00,123456789', '2026-08-31T22:30:00,123456789-03:00'],
    ['2026-08-31T22:30:00+02:00', '2026-08-31T22:30:00+02:00'],
    ['2026-08-31T22:30-03', '2026-08-31T22:30-03'],
  ])('makes %s %s, in the dates by which lists sort', (written, read) => {
    const value = { invoice_date: written, service_call_date: written, provider_invoice_date: written, city: written };
    expect(valueIn('-03:00', value)).toEqual({ ...value, invoice_date: read, service_call_date: read });
  });

  it.each(['2026-02-30', '2026-08-31T', '2026-08-31T25:00', '', '0000-01-01'])('makes no date of %j', (written) => {
    const value = valueIn('+03:00', { invoice_id: '1', supplier_id: '10', invoice_date: written });
    expect(findErrors(value, '')).toEqual(['invoice_date: must be an ISO 8601 date or date-time']);
  });

  it('leaves alone what has no dates', () => {
    const others = [{ invoice_date: null }, { city: 'Salta' }, { invoice_date: 5 }, [], 'x', null];
    expect(others.map((value) => valueIn('Z', value))).toEqual(others);
  });
});

it('at most a thousand records of an endless stream are held at once', async () => {
  let read = 0;
  async function* endless() {
    for (;;) yield { line: ++read, source: '{}', value: { invoice_id: '1', supplier_id: 'none' } };
  }
  const ahead: number[] = [];
  for await (const { rows, rejects, lastLine } of buildBatches(endless(), {})) {
    ahead.push(read - lastLine + rows.length + rejects.length);
    if (ahead.length === 2) break;
  }
  expect(Math.max(...ahead)).toBeLessThanOrEqual(1000);
});
