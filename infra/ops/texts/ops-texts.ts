import { commandTexts } from './command-texts.ts';
import { exportTexts } from './export-texts.ts';
import { importTexts } from './import-texts.ts';
import { reviewTexts } from './review-texts.ts';

export { rejectionTexts } from './rejection-texts.ts';

/** The texts of the commands for a company's clerks: import-invoices, list-invoices, summary, decide and exports. */
export const opsTexts = { ...commandTexts, ...importTexts, ...reviewTexts, ...exportTexts };
