import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { showProgress } from '../../../infra/ops/invoices/import-progress.ts';
import { noCounts } from '../../../lib/admin/import/import-invoices.ts';

const counts = { ...noCounts(), created: 1500, changed: 300, unchanged: 180, rejected: 20 };

/** What is shown of an import that is stopped half-way. */
function shown({ isTTY, totalBytes }: { isTTY: boolean; totalBytes: number | null }): string[] {
  const terminal = { isTTY, columns: 120, cursorTo: () => true, clearLine: () => true, moveCursor: () => true };
  const stream = Object.assign(new PassThrough(), terminal);
  const progress = showProgress(stream, totalBytes);
  progress.update(500, counts);
  progress.stop();
  const text = stripVTControlCharacters(String(stream.read()));
  return text.split(/[\r\n]+|(?=[█░]{40})|(?<=rejected)(?=2000)/).filter((line) => line.includes('2000'));
}

describe('the progress of an import', () => {
  const facts = String.raw`2000 records \| \d+/s \| 20 rejected`;

  it('is a bar on a terminal, with records, rate, rejected and remaining time', () => {
    const [line] = shown({ isTTY: true, totalBytes: 1000 });
    expect(line).toMatch(new RegExp(`^█{20}░{20} 50% \\| ${facts} \\| .+ left`));
  });

  it('is a plain line with the same elsewhere', () => {
    const [line] = shown({ isTTY: false, totalBytes: 1000 });
    expect(line).toMatch(new RegExp(`^50% \\| ${facts} \\| .+ left$`));
  });

  it('has neither a bar nor a remaining time while nobody knows how much there is', () => {
    const [line] = shown({ isTTY: true, totalBytes: null });
    expect(line).toMatch(new RegExp(`^${facts}`));
    expect(line).not.toMatch(/█|left/);
  });
});
