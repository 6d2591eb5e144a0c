import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readOptions } from '../command-line.ts';
import { generatedFiles } from '../openapi/generated-files.ts';
import { print } from '../terminal.ts';
import { recordExchanges } from './record-exchanges.ts';

readOptions(`Usage: npm run openapi

Starts the service with its demo data, calls every endpoint, and writes the OpenAPI document in English and in Spanish
(infra/openapi/openapi.json and openapi.es.json), and the requests for editors that are made of it
(lib/client/examples/portal.http). Beside it go the schemas of the events (infra/openapi/events.json).`);

for (const { file, text } of await generatedFiles(await recordExchanges())) {
  writeFileSync(file, text);
  print(`Written: ${fileURLToPath(file)}`);
}
