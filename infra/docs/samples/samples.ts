import { curlSample } from './curl.ts';
import { phpSample } from './php.ts';
import { pythonSample } from './python.ts';
import type { SampleCall } from './sample-call.ts';
import { typescriptSample } from './typescript.ts';

/** The languages of the samples, each with its name and with what makes a sample of a call. */
export const sampleLanguages = {
  curl: { name: 'curl', sample: curlSample },
  typescript: { name: 'TypeScript', sample: typescriptSample },
  python: { name: 'Python', sample: pythonSample },
  php: { name: 'PHP', sample: phpSample },
} as const satisfies Readonly<Record<string, { name: string; sample: (call: SampleCall) => string }>>;
