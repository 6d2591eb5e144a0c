import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Language } from '../../../../lib/domain/language.ts';
import { showProgress } from '../../../../lib/client/examples/declare-csv/progress.ts';

function openStream({ isTTY }: { isTTY: boolean }, language: Language = 'en') {
  const terminal = { isTTY, columns: 120, cursorTo: () => true, clearLine: () => true, moveCursor: () => true };
  const stream = Object.assign(new PassThrough(), terminal) as unknown as NodeJS.WriteStream;
  return { progress: showProgress(stream, language), shown: () => stripVTControlCharacters(String(stream.read())) };
}

/** What is shown of two steps, the second of which ends half-way. */
function shownOfTwoSteps(terminal: { isTTY: boolean }): string {
  const { progress, shown } = openStream(terminal);
  progress.begin('checking', 40);
  progress.advance(40);
  progress.begin('declaring', 10);
  progress.advance(5);
  progress.end();
  return shown();
}

describe('the progress', () => {
  it('is a bar for each step on a terminal, and a plain line elsewhere', () => {
    expect(shownOfTwoSteps({ isTTY: true })).toMatch(/Checking █{40} 40 of 40.*Declaring █{20}░{20} 5 of 10/s);
    const plain = shownOfTwoSteps({ isTTY: false });
    expect(plain).toMatch(/^Checking 40 of 40\n.*^Declaring 5 of 10\n/ms);
    expect(plain).not.toContain('█');
  });

  it.each([
    ['en', 57.3, '0 of 40 (waiting 58 s, as the service asks)', /1 of 40(?! \()/],
    ['es', 58, '0 de 40 (espera de 58 s, a pedido del servicio)', /1 de 40(?! \()/],
  ] as const)('says in %s why it stands still, until it goes on', async (language, seconds, why, after) => {
    const { progress, shown } = openStream({ isTTY: true }, language);
    progress.begin('checking', 40);
    progress.waiting(seconds);
    await expect.poll(shown).toContain(why);
    progress.advance(1);
    progress.end();
    expect(shown()).toMatch(after);
  });
});
