import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openCursorFile, parseCursor } from '../../../infra/ops/export/cursor-file.ts';
import { createCursor, exportDeclarations } from '../../../infra/ops/export/export-cursor.ts';
import type { RecordedChange } from '../../../lib/domain/invoice-change.ts';
import { buildRevision } from '../../support/data/stream-records.ts';
import { OperatorError, OutputError } from '../../../infra/ops/operator-errors.ts';

const text = JSON.stringify(createCursor('t.example', '2026-08-01T00:00:00.000Z'));

it.each<[what: string, text: string]>([
  ['a truncated cursor', text.slice(0, -3)],
  ['an empty file', ''],
  ['a time that does not exist', text.replaceAll(/-\d\dT/g, '-32T')],
  ['a cursor without keys', text.replace('"keys"', '"locks"')],
  ['other content', 'other'],
])('a cursor file with %s is damaged', (_, damaged) => {
  expect(() => parseCursor(damaged, 't.example')).toThrow(OperatorError);
  expect(() => parseCursor(damaged, 't.example')).toThrow(/^The cursor file is damaged, .* the ending \.previous /);
});

it('a cursor of another tenant is rejected', () => {
  expect(() => parseCursor(text, 'x.example')).toThrow(
    new OperatorError('The cursor is of t.example, not of x.example.'),
  );
});

it('openCursorFile locks the file, reads no cursor if it does not exist, and rejects an unusable path', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cursor-'));
  const path = join(folder, 'demo.cursor');
  const file = await openCursorFile(path, 't.example');
  expect(file.cursor).toBeNull();
  await expect(openCursorFile(path, 't.example')).rejects.toThrow('Another command is running with this cursor file.');
  file[Symbol.dispose]();
  // The second call proves that the first call has released its lock.
  for (let time = 0; time < 2; time++)
    await expect(openCursorFile(folder, 't.example')).rejects.toThrow(/cannot be read: EISDIR/);
  const missing = openCursorFile(join(folder, 'missing', 'demo.cursor'), 't.example');
  await expect(missing).rejects.toThrow(OutputError);
  expect(await readdir(folder)).toEqual(['demo.cursor.lock']);
});

it('the next cursor is at most at the time of this machine, although the clock of a writer is ahead', async () => {
  const since = '2026-08-01T00:00:00.000Z';
  const scope = { tenant: 't.example', supplierId: '10' };
  async function* readBetween() {
    const change = { scope, invoiceId: '1', version: 2, revision: buildRevision() };
    const times = ['2026-08-01T09:00:00.000Z', '2026-08-01T10:40:00.000Z'];
    yield times.map((changedAt) => ({ ...change, changedAt }) as RecordedChange);
  }
  const nowMs = Date.parse('2026-08-01T10:00:00.000Z');
  const run = exportDeclarations(readBetween, createCursor(scope.tenant, since), nowMs);
  const counts = [];
  for await (const page of run.declarations) counts.push(page.length);
  expect([counts, run.getCursor().time]).toEqual([[2], '2026-08-01T09:00:00.000Z']);
});
