import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { documentFiles } from '../../infra/openapi/read-document.ts';
import { clientsFolder, nodeProgram, runProgram, venvPrograms } from './tools.ts';

const document = fileURLToPath(documentFiles.en);

/** The command line of each generator, by the folder in which it writes its client. */
export const generators: Readonly<Record<string, readonly [program: string, ...options: string[]]>> = {
  python: [
    join(venvPrograms, 'openapi-python-client'),
    ...['generate', '--fail-on-warning', '--meta', 'none'],
    ...['--path', document, '--output-path', 'python/portal_client'],
  ],
  'openapi-typescript': [nodeProgram('openapi-typescript'), ...[document, '--output', 'openapi-typescript/portal.ts']],
  'hey-api': [nodeProgram('openapi-ts'), '--input', document, '--output', 'hey-api'],
  orval: [nodeProgram('orval'), '--input', document, '--output', 'orval/portal.ts', '--client', 'fetch'],
};

/** The types that have the same name in every client. */
const EXPECTED = 'InvoiceRow InvoiceDetail Tolerance ToleranceMode StateCode Declaration BatchResult'.split(' ');
/** The names that generators invent for types without a name. */
const INVENTED = /^[A-Z]\w*(?:Type\d|Inner|Inline|AnyOf|OneOf)\w*$/;

/** Generates a client again. Throws an error after a warning, without an expected type, and with an invented name. */
export async function generate(folder: string): Promise<void> {
  const [program = '', ...options] = generators[folder] ?? [];
  const path = join(clientsFolder, folder);
  await rm(path, { recursive: true, force: true });
  await mkdir(path, { recursive: true });
  const printed = await runProgram(program, options, clientsFolder);
  if (/warn|error|⚠/i.test(printed)) throw new Error(`The generator is not content:\n${printed}`);
  const files = (await readdir(path, { withFileTypes: true, recursive: true })).filter((entry) => entry.isFile());
  const texts = await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'utf8')));
  const names = new Set(texts.join('\n').match(/\w+/g));
  const missing = EXPECTED.filter((name) => !names.has(name));
  const invented = [...names].filter((name) => INVENTED.test(name));
  if (missing.length + invented.length === 0) return;
  throw new Error(`The client has no ${missing.join(', ')}; these names were invented: ${invented.join(', ')}.`);
}
