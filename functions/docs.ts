import { serveFiles } from '../lib/http/serve-files.ts';

/** GET /docs and what is below it, where the option `docs` publishes the reference page. */
export const handler = serveFiles('/opt/docs');
