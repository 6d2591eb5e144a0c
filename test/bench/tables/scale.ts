import type { Report } from '../report/report.ts';
import { SPREAD } from '../scale/assumptions.ts';
import { measure } from '../scale/measure.ts';
import { holdsUpTo, loadsOf, type Measured } from '../scale/model.ts';

const sizes = [10_000, 100_000, 1_000_000] as const;
// What is used less than this is left out.
const SHOWN = 0.1;
const guide = new URL('../../../infra/scale.md', import.meta.url);

/** The busiest second of a month's end, from what each request is measured to take from which key. */
export async function scale(): Promise<Report[]> {
  const measured = await measure();
  return [
    reportOf(measured, { name: 'scale-spread', title: `Over ${SPREAD} tenants`, tenants: SPREAD, judged: 1_000_000 }),
    reportOf(measured, { name: 'scale-one', title: 'In one tenant', tenants: 1, judged: 100_000 }),
  ];
}

interface Spread {
  readonly name: string;
  readonly title: string;
  readonly tenants: number;
  /** For how many suppliers no key may be full. */
  readonly judged: number;
}

function reportOf(measured: Measured, { name, title, tenants, judged }: Spread): Report {
  const loads = sizes.map((suppliers) => loadsOf(measured, suppliers, tenants));
  const atJudged = loads[sizes.findIndex((suppliers) => suppliers === judged)] ?? [];
  const rows = atJudged.map(({ name: of, load, limit, isKey }, index) => {
    const upTo = holdsUpTo(measured, of, tenants);
    return {
      name: of,
      cells: [
        ...loads.map((all) => all[index]?.load ?? Number.NaN),
        limit,
        Number.isFinite(upTo) ? Math.floor(upTo / 1000) * 1000 : 'any',
      ],
      now: load / limit,
      ...(isKey && { wanted: 1 }),
    };
  });
  return {
    name,
    guide,
    title,
    columns: ['10,000', '100,000', '1,000,000', 'limit', 'holds to'],
    measure: 'share of it',
    rows: rows.filter(({ now }) => now >= SHOWN).toSorted((a, b) => b.now - a.now),
  };
}
