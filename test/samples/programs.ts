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
