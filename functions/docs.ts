import { createFileHandler, REFERENCE_POLICY } from '../lib/http/serve-files.ts';

/** GET /docs and the paths below it: serves the reference page, if the option `docs` publishes it. */
export const handler = createFileHandler('/opt/docs', REFERENCE_POLICY);
