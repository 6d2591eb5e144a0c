import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Shell, shellBlocks } from '../support/guides/shell-blocks.ts';
import { calledIn, StandIns } from './stand-ins.ts';
import { complaintsOf, type Paste, pasteInto } from './terminal.ts';

const parent = mkdtempSync(join(tmpdir(), 'guides-'));
const standIns = new StandIns(parent);
// A shell that was ended may still write there.
afterAll(() => rmSync(parent, { recursive: true, maxRetries: 10, retryDelay: 100 }));

// dash never asks for brackets.
const waysOf = (shell: Shell): readonly Paste[] => (shell === 'dash' ? ['as typed'] : ['in brackets', 'as typed']);

/** What a block calls when it is pasted, and what the shell complains of. */
async function paste(shell: Shell, text: string, way: Paste) {
  const env = standIns.newEnvironment();
  const setting = { shell, env, cwd: standIns.folder };
  const lines = await pasteInto(setting, text, { paste: way, timeoutMs: 8_000 });
  return { called: calledIn(env), complaints: complaintsOf(lines) };
}

describe('every shell block of the guides, pasted into an interactive shell, calls what a script would call', () => {
  const cases = shellBlocks().flatMap(({ place, text, shells }) =>
    shells.flatMap((shell) => waysOf(shell).map((way) => ({ place, text, shell, way }))),
  );
  it.each(cases)('$place in $shell, $way', async ({ text, shell, way }) => {
    const script = standIns.calledInScript(shell, text);
    expect(await paste(shell, text, way)).toEqual({ called: script, complaints: [] });
  });
});

describe('a block that cannot be pasted is noticed', () => {
  it.each<[string, Shell, string]>([
    ['a comment', 'zsh', 'npm start   # the service\n'],
    ['a pattern', 'zsh', 'curl http://127.0.0.1:3000/?a=b\n'],
    ['history', 'bash', 'curl -d "{\\"Password\\": \\"Demo-2026!\\"}"\n'],
    ['an array', 'dash', 'ITEMS=(a b)\nnpm run "${ITEMS[0]}"\n'],
    ['a line that a command reads', 'dash', 'npm run ops -- set-password T E\nnpm start\n'],
    ['a program that has no stand-in', 'bash', 'no-such-program --version\n'],
  ])('(%s in %s)', async (_, shell, text) => {
    const { called, complaints } = await paste(shell, text, 'as typed');
    const calledInScript = () => standIns.calledInScript('bash', text);
    const noticed = complaints.length > 0 || called.join() !== calledInScript().join();
    expect(noticed).toBe(true);
  });

  it('(a quote that is not closed)', async () => {
    const setting = { shell: 'bash', env: standIns.newEnvironment(), cwd: standIns.folder } as const;
    const open = pasteInto(setting, "npm run 'a\n", { paste: 'as typed', timeoutMs: 2_000 });
    await expect(open).rejects.toThrow('bash hangs');
  });
});
