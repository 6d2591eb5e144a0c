import { writeFileSync } from 'node:fs';
import { generateFiles } from '../generate/generate.ts';
import { rejectArguments } from '../process/read-options.ts';
import { DOCUMENT_FILE } from './published-documents.ts';

const USAGE = `Usage: npm run generate

Generates from the contracts:
- the validators (lib/contracts/validators.generated.js and .d.ts) and the types of the client
  (lib/client/portal-data.generated.ts), which are not committed
- the OpenAPI document in English (infra/openapi/openapi.json), which is committed. No other script writes it, so that a
  test fails if it is not up to date.`;

rejectArguments(USAGE);
generateFiles();
// document.ts imports the validators, to build examples of errors. Therefore it is imported after they were generated.
const { buildOpenApiDocument } = await import('./document.ts');
const document = buildOpenApiDocument('en');
writeFileSync(DOCUMENT_FILE, `${JSON.stringify(document, null, 2)}\n`);
