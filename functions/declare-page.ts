import { createFileHandler, DECLARE_PAGE_POLICY } from '../lib/http/serve-files.ts';

/** GET /declare and the paths below it: serves the page for clerks, if the option `clerkPage` publishes it. */
export const handler = createFileHandler('/opt/declare', DECLARE_PAGE_POLICY);
