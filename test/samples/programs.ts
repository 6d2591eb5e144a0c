/** The interpreter of each type of program, and the command that checks that it has what the programs need. */
export const programs = {
  py: {
    program: process.env['PYTHON'] ?? 'python3',
    check: ['-c', 'import requests'],
    needs: 'Python with requests',
  },
  php: { program: 'php', check: ['-r', 'curl_init();'], needs: 'PHP with its extension curl' },
} as const;
