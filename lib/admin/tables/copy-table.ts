import type { RawItem, RawTable } from '../../storage/tables/raw-table.ts';
import { canonical, type TableSum, TableSummer } from './table-sum.ts';

/** What an item of the old table is in the new one: one item, several, or none. */
export type Transform = (item: RawItem) => RawItem | readonly RawItem[] | undefined;

/** How a table is copied. */
export interface CopyOptions {
  readonly transform: Transform;
  /** Into how many parts the table is divided, which are copied side by side. */
  readonly segments: number;
  /** An item whose attribute `ttl` is before this Unix time may vanish at any moment, and does not count. */
  readonly nowSeconds: number;
  readonly signal: AbortSignal;
  /** Hears of every few items: pages of all parts end at about the same time. */
  readonly onProgress: (progress: CopyProgress) => void;
}

/** What a copy has done so far. */
export interface CopyProgress {
  copied: number;
  /** Items that were there already, and are the same. */
  same: number;
  /** The keys of items that are there already, and differ: nothing has replaced them. */
  readonly different: string[];
}

const PARALLEL_WRITES = 16;
const MAX_NAMED = 20;

/**
 * Copies what the new table does not have. It replaces and deletes nothing, so it can be stopped anywhere and run
 * again, also twice at once. Nobody may write to the old table meanwhile.
 */
export async function copyTable(from: RawTable, to: RawTable, options: CopyOptions): Promise<CopyProgress> {
  const progress: CopyProgress = { copied: 0, same: 0, different: [] };
  const keys = (await to.keyNames()) ?? [];
  await ofAllSegments(options, async (segment) => {
    for await (const page of from.scan(segment, options.segments)) {
      const items = page.flatMap((item) => transformed(item, options));
      for (let start = 0; start < items.length; start += PARALLEL_WRITES) {
        if (options.signal.aborted) return;
        const some = items.slice(start, start + PARALLEL_WRITES);
        await Promise.all(some.map((item) => copyItem(to, keys, item, progress)));
        options.onProgress(progress);
      }
    }
  });
  return progress;
}

async function copyItem(to: RawTable, keys: readonly string[], item: RawItem, progress: CopyProgress): Promise<void> {
  const present = await to.putNew(item);
  if (present === undefined) progress.copied++;
  else if (canonical(present) === canonical(item)) progress.same++;
  else if (progress.different.length < MAX_NAMED) {
    progress.different.push(keys.map((key) => Object.values(item[key] ?? {}).join('')).join(' '));
  }
}

/** The sums of both tables: equal when the new one holds what the old one does, and nothing else. */
export async function compareTables(from: RawTable, to: RawTable, options: CopyOptions) {
  const wanted = await sumOf(from, options);
  const found = await sumOf(to, { ...options, transform: (item) => item });
  return { wanted, found, equal: wanted.items === found.items && wanted.fingerprint === found.fingerprint };
}

async function sumOf(table: RawTable, options: CopyOptions): Promise<TableSum> {
  const summer = new TableSummer();
  await ofAllSegments(options, async (segment) => {
    for await (const page of table.scan(segment, options.segments)) {
      if (options.signal.aborted) return;
      for (const item of page.flatMap((one) => transformed(one, options))) summer.add(item);
    }
  });
  return summer.sum();
}

function transformed(item: RawItem, { transform, nowSeconds }: CopyOptions): readonly RawItem[] {
  const expires = item['ttl']?.N;
  if (expires !== undefined && Number(expires) < nowSeconds) return [];
  return [transform(item) ?? []].flat();
}

async function ofAllSegments({ segments }: CopyOptions, work: (segment: number) => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: segments }, (_, segment) => work(segment)));
}
