import { useEffect, useState } from 'preact/hooks';
import type { PortalClient } from '../../client/index.ts';
import { hasDeclared, type LineResult } from '../line-result.ts';
import { listLeftOutRows } from '../workbooks.ts';
import { DeclarationSection } from './declaration-section.tsx';
import { FileForm } from './file-form.tsx';
import { InvoiceTable } from './invoice-table.tsx';
import { language } from './language.ts';
import { OpenInvoicesSection } from './open-invoices-section.tsx';
import { useChosenFile } from './use-chosen-file.ts';

/** The sections in which a clerk sees the open invoices, chooses a file, and checks and declares its rows. */
export function FileSection({ client }: { client: PortalClient }) {
  const chosenFile = useChosenFile();
  const { name, failure, invoices, selection, leftOutLines } = chosenFile;
  // If the columns are unclear, the failure contains them, so that the clerk can choose their fields in the table.
  const columns = invoices?.detected ?? failure?.columns;
  const [results, setResults] = useState<readonly LineResult[]>([]);
  const [isRunning, setIsRunning] = useState(false);
  // When the file has been read again, the results are removed, because they belong to the earlier rows.
  useEffect(() => setResults([]), [invoices]);
  // After a declaration, the rows cannot be changed, because the report must contain every declared row.
  const isLocked = isRunning || hasDeclared(results);
  // Nothing can be declared while a row has an error.
  const lines = selection?.errorsByLine.size === 0 ? selection.lines : [];
  return (
    <>
      <OpenInvoicesSection client={client} isLocked={isRunning} />
      <FileForm chosenFile={chosenFile} isRunning={isRunning} isLocked={isLocked} />
      {name !== null && invoices && lines.length > 0 && (
        <DeclarationSection
          client={client}
          fileName={name}
          lines={lines}
          leftOutRows={listLeftOutRows(invoices, leftOutLines, language)}
          latestResults={results}
          onResults={setResults}
          onRunning={setIsRunning}
        />
      )}
      {columns && <InvoiceTable chosenFile={chosenFile} columns={columns} results={results} isLocked={isLocked} />}
    </>
  );
}
