import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import type { Shell } from '../support/guides/shell-blocks.ts';

/** How a terminal hands over what is pasted: in brackets, where the shell asks for them, or as if it were typed. */
export type Paste = 'in brackets' | 'as typed';

/** What a shell is opened with. */
export interface TerminalSetting {
  readonly shell: Shell;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

// Without anybody's own settings; wide, so that no line is broken.
const COMMANDS: Readonly<Record<Shell, string>> = {
  bash: 'bash --norc --noprofile -i',
  zsh: 'zsh -f -i',
  dash: 'dash -i',
};
const ASKS_FOR_BRACKETS = '\u001b[?2004h';
const READY_MS = 20_000;

/** Pastes a text into an interactive shell on a pseudo-terminal; gives the lines that it shows until it is done. */
export async function pasteInto(
  { shell, env, cwd }: TerminalSetting,
  text: string,
  { paste, timeoutMs }: { readonly paste: Paste; readonly timeoutMs: number },
): Promise<readonly string[]> {
  const program = `stty columns 1000 rows 200; exec ${COMMANDS[shell]}`;
  const child = spawn('script', ['-qfec', program, '/dev/null'], { cwd, env: { ...env, TERM: 'xterm' } });
  let shown = '';
  child.stdout.on('data', (chunk: Buffer) => (shown += chunk.toString()));
  /** Types a command until the shell answers: one that is still busy may have taken the first ones for itself. */
  const ask = async (command: string, answer: string, ms: number) => {
    const end = Date.now() + ms;
    for (let next = Date.now(); !shown.includes(answer); await new Promise((resolve) => setTimeout(resolve, 20))) {
      if (Date.now() > end) throw new Error(`${shell} hangs. It shows:\n${linesOf(shown).join('\n')}`);
      if (Date.now() < next) continue;
      child.stdin.write(`${command}\r`);
      // Not sooner: a terminal shows what is typed in the middle of what is answered.
      next += ms / 4;
    }
  };
  try {
    // What is typed does not hold the answer itself.
    await ask("PS1='$ ' PS2='> '; echo READY-$((40 + 2))", 'READY-42', READY_MS);
    const start = shown.length;
    const brackets = paste === 'in brackets' && shown.includes(ASKS_FOR_BRACKETS);
    const keys = text.replaceAll('\n', '\r');
    child.stdin.write(brackets ? `\u001b[200~${keys}\u001b[201~\r` : keys);
    await ask('echo DONE-$((40 + 2))', 'DONE-42', timeoutMs);
    return linesOf(shown.slice(start));
  } finally {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
}

/** What a shell itself complains of, by the lines that it showed. */
export function complaintsOf(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => /^(?:bash|zsh|dash|\w+:\d+): /.test(line));
}

/** The lines as a person reads them, without the prompts in front. */
function linesOf(shown: string): readonly string[] {
  const plain = stripVTControlCharacters(shown);
  return plain.split(/[\r\n]+/).map((line) => line.replace(/^(?:[$>%#] )+/, '').trimEnd());
}
