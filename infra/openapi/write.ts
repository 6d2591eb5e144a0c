/**
 * npm run openapi: writes the OpenAPI document in each language, the requests for editors that are made of it, and the
 * client's types.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { print } from '../terminal.ts';
import { generatedFiles } from './generated-files.ts';
import { recordExchanges } from './record-exchanges.ts';

const exchanges = { en: await recordExchanges('en'), es: await recordExchanges('es') };
for (const { file, text } of await generatedFiles(exchanges)) {
  writeFileSync(file, text);
  print(`Written: ${fileURLToPath(file)}`);
}
