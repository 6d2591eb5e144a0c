/**
 * The tests that `npm run suite -- dynamodb-local` skips, because they cannot pass there. Each title is the
 * full title of a test or its beginning, as vitest prints it. A title that no test has fails `npm test`.
 */
export const exceptions = [
  {
    reason: 'They test the embedded engine itself: its process and its data file.',
    titles: [
      'npm start ends and leaves no process if its ',
      'a restart with data of a clock that was ahead ends its lockouts',
      'the engine > only the owner can read the files of the engine ',
      'the engine > startEngine rejects with the reason if the engine cannot open its database',
      'npm start prints one line if the engine ends while the data are prepared',
      'npm start ignores the AWS configuration of its user, and leaves no process after ',
    ],
  },
  {
    reason:
      'They count units: DynamoDB Local reports other units than AWS for transactions and projections of an index.',
    titles: [
      'a first page of 25 ',
      'a page of 25 that ends after 100 costs ',
      'a page of a state costs ',
      'a page of changes costs ',
      'a declaration costs ',
      'a declaration of another ',
      'a batch of 25 ',
      'the import of 25 invoices costs ',
      'a list of 300 invoices reads ',
      'a list of 1000 invoices reads ',
      'a list of 10000 invoices reads ',
    ],
  },
  {
    reason: 'They need pages of 1 MB: DynamoDB Local returns more entries of an index in one page.',
    titles: [
      'a list with more index entries than a page of the engine (1 MB) > a search reads both pages of an index of 1.5 MB, ',
      'a list that cannot be read within the deadline is INTERNAL_ERROR, ',
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
