import { useState } from 'preact/hooks';
import { type HistoryPage, type InvoiceRow, type PortalClient, REQUEST_LIMITS } from '../../client/index.ts';
import { isRejectedOrAdjusted } from '../../domain/invoice-states.ts';
import { listOpenInvoices } from '../open-invoices.ts';
import { changeTexts, pageTexts as texts, stateTexts } from '../page-texts.ts';
import { buildOpenWorkbook, INVOICE_COLUMNS } from '../workbooks.ts';
import { downloadWorkbook } from './download.ts';
import { language, showAmount, showCount, showTime, translate } from './language.ts';
import { selectShownRows } from './shown-rows.ts';
import { useLoad } from './use-load.ts';

interface OpenInvoicesSectionProps {
  readonly client: PortalClient;
  /** True while the rows of a file are checked or declared. */
  readonly isFixed: boolean;
}

/** The section that shows the invoices to start from, and why the company rejected or adjusted them. */
export function OpenInvoicesSection({ client, isFixed }: OpenInvoicesSectionProps) {
  const { value: invoices, message, isBusy, load } = useLoad(() => listOpenInvoices(client));
  const hasInvoices = invoices !== null && invoices.length > 0;
  const download = async (rows: readonly InvoiceRow[]) =>
    downloadWorkbook(translate(texts.openFile), await buildOpenWorkbook(rows, language));
  return (
    <section inert={isFixed}>
      <h2>{translate(texts.openInvoices)}</h2>
      <button disabled={isBusy} onClick={() => void load()}>
        {translate(texts.showOpen)}
      </button>
      {hasInvoices && <button onClick={() => void download(invoices)}>{translate(texts.downloadOpen)}</button>}
      <p role="status">
        {message && translate(message)}
        {invoices?.length === 0 && translate(texts.noOpen)}
      </p>
      {hasInvoices && <OpenInvoiceTable client={client} invoices={invoices} />}
    </section>
  );
}

interface OpenInvoiceTableProps {
  readonly client: PortalClient;
  readonly invoices: readonly InvoiceRow[];
}

function OpenInvoiceTable({ client, invoices }: OpenInvoiceTableProps) {
  const { shownRows, shownCount } = selectShownRows(invoices, ({ state_code }) => isRejectedOrAdjusted(state_code));
  return (
    <>
      {shownCount && <p>{translate(shownCount)}</p>}
      <div class="scroll" tabIndex={0} role="region" aria-label={translate(texts.openInvoices)}>
        <table>
          <thead>
            <tr>
              {INVOICE_COLUMNS.map(({ heading }) => (
                <th scope="col" key={heading.en}>
                  {translate(heading)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shownRows.map((row) => (
              <OpenInvoiceRow key={row.invoice_id} client={client} row={row} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** An invoice and, if it was rejected or adjusted, a button that shows the reason below the invoice. */
function OpenInvoiceRow({ client, row }: { client: PortalClient; row: InvoiceRow }) {
  const { invoice_id: id, state_code: state } = row;
  const [isOpen, setOpen] = useState(false);
  const { value, message, isBusy, load } = useLoad(() => client.getHistory(id, { limit: REQUEST_LIMITS.pageMax }));
  const toggle = () => {
    setOpen(!isOpen);
    if (!isOpen && !isBusy && value === null) void load();
  };
  const whyButton = isRejectedOrAdjusted(state) && (
    <button aria-expanded={isOpen} aria-label={`${translate(texts.why)} ${id}`} onClick={toggle}>
      {translate(texts.why)}
    </button>
  );
  return (
    <>
      <tr>
        {INVOICE_COLUMNS.map(({ heading, kind, read }) => {
          const cell = read?.(row, language);
          return (
            <td key={heading.en} class={kind === 'amount' ? 'amount' : undefined}>
              {typeof cell === 'number' ? showAmount(cell) : cell} {heading === texts.state && whyButton}
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
  const [latest] = entries;
  return (
    <>
      <dl>
        <dt>{translate(texts.message)}</dt>
        <dd class="message">{latest?.message ?? '–'}</dd>
        <dt>{translate(texts.approvedAmount)}</dt>
        <dd>{showOptionalAmount(latest?.approved_amount)}</dd>
      </dl>
      <table>
        <caption>{translate(texts.history(showCount(entries.length), showCount(total)))}</caption>
        <thead>
          <tr>
            {HISTORY_HEADINGS.map((heading) => (
              <th scope="col" key={heading.en}>
                {translate(heading)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {entries.map((entry, index) => (
            <tr key={index}>
              <td>{showTime(entry.changed_at)}</td>
              <td>{translate(changeTexts[entry.kind])}</td>
              <td>{translate(stateTexts[entry.state_code])}</td>
              <td class="amount">{showAmount(entry.system_amount)}</td>
              <td class="amount">{showOptionalAmount(entry.declared_amount)}</td>
              <td class="amount">{showOptionalAmount(entry.approved_amount)}</td>
              <td class="message">{entry.message}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

const HISTORY_HEADINGS = [
  texts.time,
  texts.change,
  texts.state,
  texts.systemAmount,
  texts.declaredAmount,
  texts.approvedAmount,
  texts.message,
];

const showOptionalAmount = (amount: number | null | undefined) =>
  typeof amount === 'number' ? showAmount(amount) : '–';
