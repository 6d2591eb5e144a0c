import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LocalService } from '../../infra/local/service.ts';
import { checkingEnvironment } from '../support/answers/checking-environment.ts';
import { answersIn, blockAfter } from '../support/guides/readme.ts';
import { SHELLS } from '../support/guides/shell-blocks.ts';
import { startLocalService } from '../support/service/local-service.ts';
import { complaintsOf, pasteInto } from './terminal.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const curl = join(root, 'test/support/processes/curl.ts');
const example = 'lib/client/examples/declare-csv';

// They lead to the service of the test what the guides lead to the usual port.
const CURL = `#!/bin/sh
for word do
  shift
  set -- "$@" "$(printf %s "$word" | sed "s#http://127.0.0.1:3000#$PORTAL_URL#")"
done
exec '${process.execPath}' '${curl}' "$@"
`;
const NPM = `#!/bin/sh
case "$*" in *declare-csv*) set -- "$@" --url "$PORTAL_URL";; esac
exec '${execFileSync('which', ['npm'], { encoding: 'utf8' }).trim()}' "$@"
`;

const bin = mkdtempSync(join(tmpdir(), 'sessions-'));
beforeAll(() => {
  writeFileSync(join(bin, 'curl'), CURL, { mode: 0o755 });
  writeFileSync(join(bin, 'npm'), NPM, { mode: 0o755 });
});
afterAll(() => rmSync(bin, { recursive: true }));

/** The lines that a shell shows of a block under a heading, on a service of its own. */
async function session(shell: (typeof SHELLS)[number], [guide, heading]: readonly [string, string], demo: boolean) {
  const service: LocalService = await startLocalService({ demo });
  const env = {
    ...process.env,
    ...checkingEnvironment,
    PATH: `${bin}:${process.env['PATH']}`,
    PORTAL_URL: service.url,
    AWS_ENDPOINT_URL_DYNAMODB: service.endpoint,
    LC_ALL: 'C.UTF-8',
  };
  try {
    const block = blockAfter(guide, heading, 'sh');
    return await pasteInto({ shell, env, cwd: root }, block, { paste: 'in brackets', timeoutMs: 120_000 });
  } finally {
    await service.close();
  }
}

// Every declaration has an id of its own.
const withoutIds = (text: string) => text.replace(/"(declaration_id|IdDeclaracion)": ?"\d{19}"/g, '"$1":"<new>"');

describe.each(SHELLS)('pasted into %s', (shell) => {
  it.each([
    ['README.md', 'A first session'],
    ['lib/legacy/README.md', 'The legacy route'],
  ])('the session of %s answers as printed', async (...place) => {
    const lines = await session(shell, place, true);
    expect(complaintsOf(lines)).toEqual([]);
    const answers = lines.filter((line) => line.startsWith('{"')).join('\n');
    expect(answersIn(withoutIds(answers))).toEqual(answersIn(withoutIds(blockAfter(...place, 'json'))));
  });

  it.each([
    [`${example}/README.md`, 'Try it'],
    [`${example}/README.es.md`, 'Pruébelo'],
  ])('declare-csv, as %s runs it, prints what is printed there', async (...place) => {
    const lines = await session(shell, place, true);
    expect(complaintsOf(lines)).toEqual([]);
    const printed = blockAfter(...place, 'text')
      .split('\n')
      .filter((line) => line !== '');
    // Between them a terminal shows how far it is.
    expect(lines.filter((line) => printed.includes(line))).toEqual(printed);
  });

  it('the first commands of the operators bring an empty service to the demo', async () => {
    const lines = await session(shell, ['infra/ops/README.md', 'Commands'], false);
    expect(complaintsOf(lines)).toEqual([]);
    expect(lines.join('\n')).toContain('0 differences');
  });
});
