import { useState } from 'preact/hooks';
import { type HistoryPage, type InvoiceRow, type PortalClient, REQUEST_LIMITS } from '../../client/index.ts';
import { isRejectedOrAdjusted } from '../../domain/invoice-states.ts';
import type { Text } from '../../domain/language.ts';
import { listOpenInvoices } from '../open-invoices.ts';
import { changeTexts, pageTexts, stateTexts } from '../page-texts.ts';
import { describeFailure } from '../describe-failure.ts';
import { buildOpenWorkbook, INVOICE_COLUMNS } from '../workbooks.ts';
import { downloadWorkbook } from './download.ts';
import { language, showAmount, showCount, showTime, translate } from './language.ts';
import { HeadingCells, RowTable } from './row-table.tsx';

const HISTORY_HEADINGS = [
  pageTexts.time,
  pageTexts.change,
  pageTexts.state,
  pageTexts.message,
  pageTexts.systemAmount,
  pageTexts.declaredAmount,
  pageTexts.approvedAmount,
];

/** The section that shows the invoices to start from, and why the company rejected or adjusted them. */
export function OpenInvoicesSection({ client, isLocked }: { client: PortalClient; isLocked: boolean }) {
  const { value: invoices, message, isBusy, load } = useLoad(() => listOpenInvoices(client));
  const hasInvoices = invoices !== null && invoices.length > 0;
  const download = async (rows: readonly InvoiceRow[]) =>
    downloadWorkbook(translate(pageTexts.openFile), await buildOpenWorkbook(rows, language));
  return (
    <section inert={isLocked}>
      <h2>{translate(pageTexts.openInvoices)}</h2>
      <button disabled={isBusy} onClick={() => void load()}>
        {translate(pageTexts.showOpen)}
      </button>
      {hasInvoices && <button onClick={() => void download(invoices)}>{translate(pageTexts.downloadOpen)}</button>}
      <p role="status">
        {message && translate(message)}
        {invoices?.length === 0 && translate(pageTexts.noOpen)}
      </p>
      {hasInvoices && (
        <RowTable
          label={pageTexts.openInvoices}
          head={<HeadingCells headings={INVOICE_COLUMNS.map(({ heading }) => heading)} />}
          rows={invoices}
          needsAttention={({ state_code }) => isRejectedOrAdjusted(state_code)}
          renderRow={(row) => <OpenInvoiceRow key={row.invoice_id} client={client} row={row} />}
        />
      )}
    </section>
  );
}

/** An invoice and, if it was rejected or adjusted, a button that shows the reason below the invoice. */
function OpenInvoiceRow({ client, row }: { client: PortalClient; row: InvoiceRow }) {
  const { invoice_id: id, state_code: state } = row;
  const [isOpen, setIsOpen] = useState(false);
  const { value, message, isBusy, load } = useLoad(() => client.getHistory(id, { limit: REQUEST_LIMITS.pageMax }));
  const toggle = () => {
    setIsOpen(!isOpen);
    if (!isOpen && !isBusy && value === null) void load();
  };
  const whyButton = isRejectedOrAdjusted(state) && (
    <button aria-expanded={isOpen} aria-label={`${translate(pageTexts.why)} ${id}`} onClick={toggle}>
      {translate(pageTexts.why)}
    </button>
  );
  return (
    <>
      <tr>
        {INVOICE_COLUMNS.map(({ heading, kind, read }) => {
          const cell = read?.(row, language);
          return (
            <td key={heading.en} class={kind === 'amount' ? 'amount' : undefined}>
              {typeof cell === 'number' ? showAmount(cell) : cell} {heading === pageTexts.state && whyButton}
            </td>
          );
        })}
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={INVOICE_COLUMNS.length}>
            <p role="status">{message && translate(message)}</p>
            {value && <History page={value} />}
          </td>
        </tr>
      )}
    </>
  );
}

function History({ page: { entries, total } }: { page: HistoryPage }) {
  return (
    <table>
      <caption>{translate(pageTexts.history(showCount(entries.length), showCount(total)))}</caption>
      <thead>
        <tr>
          <HeadingCells headings={HISTORY_HEADINGS} />
        </tr>
      </thead>
      <tbody>
        {entries.map((entry, index) => (
          <tr key={index}>
            <td>{showTime(entry.changed_at)}</td>
            <td>{translate(changeTexts[entry.kind])}</td>
            <td>{translate(stateTexts[entry.state_code])}</td>
            <td class="message">{entry.message}</td>
            <td class="amount">{showAmount(entry.system_amount)}</td>
            <td class="amount">{showOptionalAmount(entry.declared_amount)}</td>
            <td class="amount">{showOptionalAmount(entry.approved_amount)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function showOptionalAmount(amount: number | null | undefined): string {
  return typeof amount === 'number' ? showAmount(amount) : '–';
}

/** Loads a value when `load` is called. The message shows that the value is being loaded, or why it cannot be. */
function useLoad<Value>(read: () => Promise<Value>) {
  const [value, setValue] = useState<Value | null>(null);
  const [message, setMessage] = useState<Text | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const load = async () => {
    setIsBusy(true);
    setValue(null);
    setMessage(pageTexts.loading);
    try {
      setValue(await read());
      setMessage(null);
    } catch (error) {
      setMessage(describeFailure(error));
    }
    setIsBusy(false);
  };
  return { value, message, isBusy, load };
}
