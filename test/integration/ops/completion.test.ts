import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { commandNames, runCli } from '../../support/ops/run-ops.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
let script: string;

beforeAll(async () => {
  script = (await runCli(['completion', 'bash'])).stdout;
});

/** What bash offers after these words, the last of which is being typed. */
async function offered(...words: string[]): Promise<string[]> {
  const typed = words.map((word) => `'${word}'`).join(' ');
  const asking = `COMP_WORDS=(ops ${typed}); COMP_CWORD=${words.length}; _ops; echo "\${COMPREPLY[@]}"`;
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', `${script}\n${asking}`]);
  return stdout.trim().split(' ').filter(Boolean);
}

describe('completion bash', () => {
  it('offers the commands', async () => {
    expect(await offered('')).toEqual([...commandNames, '--help', '--version']);
    expect(await offered('list-u')).toEqual(['list-users']);
    expect(await offered('--v')).toEqual(['--version']);
  });

  it('offers the options of a command, wherever it stands', async () => {
    expect(await offered('revoke-key', 'demo.example', 'a001', '--y')).toEqual(['--yes']);
    expect(await offered('verify-counters', '--')).toEqual(
      expect.arrayContaining(['--repair', '--dry-run', '--yes', '--json', '--local', '--help']),
    );
    expect(await offered('show', '--y')).toEqual([]);
  });

  it('offers the values of an option or an argument that has a choice', async () => {
    expect(await offered('set-tolerance', 'demo.example', '--mode', '')).toEqual(['PCT', 'ABS', 'AMB']);
    expect(await offered('set-state', 'demo.example', '9001', 'L')).toEqual(['LIQ']);
    expect(await offered('completion', '')).toEqual(['bash', 'zsh']);
  });

  it('leaves names of files to the shell', async () => {
    expect(await offered('apply', 'infra')).toEqual([]);
    expect(await offered('nothing', '')).toEqual([]);
    expect(script).toContain('complete -o default -F _ops ops');
  });

  it('defines ops, which works in the folder of the service and says so elsewhere', async () => {
    const run = (cwd: string) => promisify(execFile)('bash', ['--norc', '-c', `${script}\nops --version`], { cwd });
    expect((await run(root)).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    await expect(run(`${root}/infra`)).rejects.toMatchObject({
      code: 2,
      stderr: 'ops: change to the folder of the service first\n',
    });
  });
});

describe('completion zsh', () => {
  it('has every command and option with its meaning', async () => {
    const { code, stdout } = await runCli(['completion', 'zsh']);
    expect(code).toBe(0);
    for (const name of commandNames) expect(stdout).toContain(`    '${name}:`);
    expect(stdout).toContain("'--dry-run:say what would be done, and write nothing'");
    // An apostrophe within quotes ends them: it is written between two pairs.
    expect(stdout).toContain(`'--region:the stack'\\''s AWS region, unless it is the configured one'`);
    expect(stdout).toContain("'set-state 5') compadd -- PEN ENV");
  });
});

describe('completion', () => {
  it('of another shell ends with 2', async () => {
    expect(await runCli(['completion', 'tcsh'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('bash, zsh'),
    });
  });
});
