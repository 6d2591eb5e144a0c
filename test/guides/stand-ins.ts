import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Shell } from '../support/guides/shell-blocks.ts';

// What blocks call that starts something, or changes this machine or an account.
const STAND_INS = [
  ...['npm', 'npx', 'node', 'curl', 'jq', 'git', 'cp', 'pip', 'python3', 'apt-get', 'sudo', 'brew'],
  ...['aws', 'cdk', 'sam', 'docker', 'mvn', 'java', 'pipx', 'uv', 'code', 'gh', 'zip', 'tar', 'socat'],
];
// What they may really call.
const TOOLS = 'script sed cat grep head tail tr sort cut env ls date stty sh bash zsh dash printf'.split(' ');

// It writes its words down, one in a line, and the variables that a block sets for it. It creates the file of --out,
// which later commands of a block read. What asks for a password takes what is already typed.
const RECORDER = `#!/bin/sh
entry="\${0##*/}"
last=
for word do
  [ "$last" = --out ] && : > "$word"
  last=$word
  entry="$entry
  <$word>"
done
case " $* " in *' set-password '*) { stty -icanon min 0 time 2; cat; stty icanon; } > /dev/null 2>&1;; esac
printf '%s\\n%s\\036' "$entry" "$(env | grep -E '^(PORTAL|AWS|CDK)_' | sort)" >> "$PASTED"
`;

/** A folder in which blocks of guides do nothing but write down which commands they call. */
export class StandIns {
  readonly folder: string;
  readonly #parent: string;
  #records = 0;

  constructor(parent: string) {
    const bin = join(parent, 'bin');
    this.folder = join(parent, 'clone');
    this.#parent = parent;
    mkdirSync(bin);
    // Guides lead there.
    mkdirSync(join(this.folder, 'cdk.out/sam'), { recursive: true });
    for (const name of STAND_INS) {
      writeFileSync(join(bin, name), RECORDER);
      chmodSync(join(bin, name), 0o755);
    }
    for (const name of TOOLS)
      symlinkSync(spawnSync('which', [name], { encoding: 'utf8' }).stdout.trim(), join(bin, name));
  }

  /** The environment for one block, with a record of its own: a block that hangs may write to it later. */
  newEnvironment(): Record<'PATH' | 'HOME' | 'PASTED' | 'LANG', string> {
    const record = join(this.#parent, `pasted-${++this.#records}`);
    writeFileSync(record, '');
    return { PATH: join(this.#parent, 'bin'), HOME: this.#parent, PASTED: record, LANG: 'C.UTF-8' };
  }

  /** What a block calls as a script, where nothing of a terminal interferes. */
  calledInScript(shell: Shell, text: string): readonly string[] {
    const env = this.newEnvironment();
    const { status, stderr } = spawnSync(shell, ['-c', text], { cwd: this.folder, env, encoding: 'utf8' });
    if (status !== 0 || stderr !== '') throw new Error(`The block fails as a script, too: ${stderr}`);
    return calledIn(env);
  }
}

/** What was called in such an environment; in no order, because the commands of a pipe have none. */
export function calledIn({ PASTED }: { readonly PASTED: string }): readonly string[] {
  return readFileSync(PASTED, 'utf8').split('\u001e').slice(0, -1).toSorted();
}
