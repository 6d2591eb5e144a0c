import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** What runs the samples of each language: the program, and what asks whether it has what it needs. */
export const programs = {
  curl: { program: 'sh', check: ['-c', 'curl --version'], needs: 'curl' },
  python: {
    program: process.env['PYTHON'] ?? 'python3',
    check: ['-c', 'import requests'],
    needs: 'Python with requests',
  },
  php: { program: 'php', check: ['-r', 'curl_init();'], needs: 'PHP with its extension curl' },
} as const;

/** What is missing on this machine to run the samples. */
export async function missingPrograms(): Promise<string[]> {
  const asked = Object.values(programs).map(async ({ program, check, needs }) => {
    const works = await promisify(execFile)(program, [...check]).then(
      () => true,
      () => false,
    );
    return works ? [] : [needs];
  });
  return (await Promise.all(asked)).flat();
}
