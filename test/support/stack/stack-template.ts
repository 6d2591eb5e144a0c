import { templateFile } from '../../../infra/local/synthesize.ts';
import { readTemplate } from './read-template.ts';

/** The template that `npm start` runs: stage dev, without options. */
export const { outputs, resources, resourcesOfType, theResource } = readTemplate(templateFile);
