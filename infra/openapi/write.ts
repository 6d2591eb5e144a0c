import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readOptions } from '../command-line.ts';
import { print } from '../terminal.ts';
import { generatedFiles } from './generated-files.ts';
import { recordExchanges } from './record-exchanges.ts';

readOptions(`Usage: npm run openapi

Starts the service with its demo data, calls every endpoint, and writes the OpenAPI document in each language
(infra/openapi/openapi.json, openapi.es.json), the requests for editors that are made of it, and the types of the client.`);

const exchanges = { en: await recordExchanges('en'), es: await recordExchanges('es') };
for (const { file, text } of await generatedFiles(exchanges)) {
  writeFileSync(file, text);
  print(`Written: ${fileURLToPath(file)}`);
}
