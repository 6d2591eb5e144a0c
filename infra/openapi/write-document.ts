import { writeFileSync } from 'node:fs';
import { generateFiles } from '../generate/generate.ts';
import { readOptions } from '../process/read-options.ts';
import { DOCUMENT_FILE } from './published-documents.ts';

const USAGE = `Usage: npm run generate

Generates from the contracts:
- the validators (lib/contracts/validators.generated.js and .d.ts) and the types of the client
  (lib/client/portal-data.generated.ts), which are not committed
- the OpenAPI document in English (infra/openapi/openapi.json), which is committed. No other script writes it, so that a
  test fails if it is not up to date.`;

// This call only offers help and rejects arguments.
readOptions(USAGE);
generateFiles();
// The document contains messages of the validators, so they are imported after they have been generated.
const { buildOpenApiDocument } = await import('./document.ts');
writeFileSync(DOCUMENT_FILE, `${JSON.stringify(buildOpenApiDocument('en'), null, 2)}\n`);
