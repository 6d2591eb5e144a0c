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
  it('is a bar for each step on a terminal', () => {
    const text = shownOfTwoSteps({ isTTY: true });
    expect(text).toMatch(/Checking █{40} 40 of 40.*Declaring █{20}░{20} 5 of 10/s);
  });

  it('is a plain line for each step elsewhere', () => {
    const text = shownOfTwoSteps({ isTTY: false });
    expect(text).toMatch(/^Checking 40 of 40\n.*^Declaring 5 of 10\n/ms);
    expect(text).not.toContain('█');
  });

  it('speaks Spanish too', async () => {
    const { progress, shown } = openStream({ isTTY: true }, 'es');
    progress.begin('checking', 40);
    progress.waiting(58);
    await expect.poll(shown).toMatch(/Verificando .* 0 de 40 \(espera de 58 s, a pedido del servicio\)/);
    progress.end();
  });

  it('says why it stands still, until it goes on', async () => {
    const { progress, shown } = openStream({ isTTY: true });
    progress.begin('checking', 40);
    progress.waiting(57.3);
    await expect.poll(shown).toContain('0 of 40 (waiting 58 s, as the service asks)');
    progress.advance(1);
    progress.end();
    expect(shown()).toMatch(/1 of 40(?! \()/);
  });
});
