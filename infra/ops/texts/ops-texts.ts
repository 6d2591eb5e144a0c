import { commandTexts } from './command-texts.ts';
import { exportTexts } from './export-texts.ts';
import { importTexts } from './import-texts.ts';
import { reviewTexts } from './review-texts.ts';

export { rejectionTexts } from './rejection-texts.ts';

export const opsTexts = { ...commandTexts, ...importTexts, ...reviewTexts, ...exportTexts };
