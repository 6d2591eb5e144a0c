/**
 * The tests that `npm run suite -- dynamodb-local` skips, because they cannot pass there. Each title is the
 * full title of a test or its beginning, as vitest prints it. A title that no test has fails `npm test`.
 */
export const exceptions = [
  {
    reason: 'They test the embedded engine itself: its process and its data file.',
    titles: [
      'the data of npm start > npm start ends and leaves no process if its ',
      'the engine > only the owner can read the files of the engine ',
      'the engine > startEngine rejects with the reason if the engine cannot open its database',
      'the data of npm start > npm start prints one line if the engine ends while the data are prepared',
      'npm start > npm start leaves no process after ',
    ],
  },
  {
    reason: 'They count units: DynamoDB Local reports other units than AWS for transactions and empty queries.',
    titles: [
      'a declaration costs ',
      'a declaration of another ',
      'a batch of 25 ',
      'a batch of 100 costs ',
      'the import of 25 invoices costs ',
      'the log of a tenant > a reader finds the shards in use with one query',
      'with 1,000 invoices, every page and search reads rows',
      'with 10,000 invoices, searches read indexes',
    ],
  },
  {
    reason: 'It expects the message of AWS: DynamoDB Local rejects the same transaction with another message.',
    titles: [
      'the bytes of a transaction > a transaction is accepted if its items have 4 MB, and rejected with one byte more',
    ],
  },
];

/** A pattern that matches the titles of all tests except the exceptions. */
export const otherTitles = `^(?!${exceptions
  .flatMap(({ titles }) => titles)
  .map((title) => title.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`))
  .join('|')})`;
