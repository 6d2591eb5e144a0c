import { Logger } from '@aws-lambda-powertools/logger';

/** The process's logger: JSON lines, configured by the POWERTOOLS_* variables. */
export const logger = new Logger();
