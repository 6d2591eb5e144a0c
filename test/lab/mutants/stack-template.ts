import { variantOf } from '../../support/stack/stack-variants.ts';

/** Replaces test/support/stack/stack-template.ts, whose template was synthesized before the code was mutated. */
export const { outputs, resources, resourcesOfType, theResource } = variantOf({ stage: 'dev' });
