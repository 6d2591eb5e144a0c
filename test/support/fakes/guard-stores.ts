import type { ClaimedAccount } from '../../../lib/domain/directory.ts';
import type { AccountRecord, AccountStore, Admission, RegisterName } from '../../../lib/rate-limit/account-guard.ts';
import type { GuardStore } from '../../../lib/rate-limit/login-guard.ts';
import { ACCOUNT_POLICY, type AccountPolicy, LOGIN_POLICY } from '../../../lib/rate-limit/policies.ts';
import type { RateCounterStore } from '../../../lib/rate-limit/sliding-window.ts';

/** The conditions of the login guard's table, over records in memory. */
export function guardStoreFake(): GuardStore {
  const { limit, windowMs, blockMs } = LOGIN_POLICY;
  const records = new Map<string, number[]>();
  let failuresToday = 0;
  const recordOf = (source: string) => records.get(source) ?? Array<number>(limit).fill(0);
  const isOpen = (failures: readonly number[], nowMs: number) => {
    const [first = 0] = failures;
    const last = failures.at(-1) ?? 0;
    return last - first >= windowMs || first === 0 || last <= nowMs - blockMs;
  };
  return {
    failures: async (source) => recordOf(source),
    succeed: async (source, nowMs) => ({
      kind: isOpen(recordOf(source), nowMs) ? 'allowed' : 'refused',
      failures: recordOf(source),
      failuresToday,
    }),
    async fail(source, nowMs) {
      const allowed = isOpen(recordOf(source), nowMs);
      if (allowed) records.set(source, [...recordOf(source).slice(1), nowMs]);
      if (allowed) failuresToday++;
      return { kind: allowed ? 'allowed' : 'refused', failures: recordOf(source), failuresToday };
    },
  };
}

type Stored = Omit<AccountRecord, 'sourceName'>;

/** The conditions of the table of accounts, over records in memory. Every account has the password `right`. */
export function accountStoreFake({ limit, windowMs, pausesMs }: AccountPolicy = ACCOUNT_POLICY): AccountStore {
  const records = new Map<string, Stored>();
  const nameOf = ({ loginName, user }: ClaimedAccount) => user?.userId ?? `nobody ${loginName}`;
  const untouched = { times: Array<number>(limit).fill(0), pause: 0 };
  const recordOf = (account: ClaimedAccount): Stored =>
    records.get(nameOf(account)) ?? {
      passwordHash: account.user && 'hash of right',
      tokensFromMs: 0,
      registers: { email: untouched, emailWithKey: untouched, username: untouched, usernameWithKey: untouched },
      recent: { fromMs: 0, count: 0 },
      knownSources: {},
    };
  function mayTell(record: Stored, admission: Admission, nowMs: number): boolean {
    if (admission.kind === 'known') return true;
    const { times, pause } = record.registers[admission.register];
    const last = times.at(-1) ?? 0;
    if (admission.kind === 'pause') return admission.pause === pause && last <= nowMs - (pausesMs[pause] ?? 0);
    return (times[0] ?? 0) <= nowMs - windowMs && (pause === 0 || last <= nowMs - windowMs);
  }
  function decide(account: ClaimedAccount, admission: Admission, nowMs: number, change: (of: Stored) => Stored) {
    const record = recordOf(account);
    if (!mayTell(record, admission, nowMs)) return { kind: 'refused', current: record.registers } as const;
    records.set(nameOf(account), change(record));
    return { kind: 'allowed' } as const;
  }
  const withRegister = (of: Stored, name: RegisterName, nowMs: number, pause: number): Stored => ({
    ...of,
    registers: { ...of.registers, [name]: { times: [...of.registers[name].times.slice(1), nowMs], pause } },
  });

  return {
    read: async (account, source) => ({ ...recordOf(account), sourceName: `name of ${source}` }),
    fail: async (account, admission, recent, nowMs) =>
      decide(account, admission, nowMs, (record) => {
        if (admission.kind === 'known') return { ...record, recent };
        const pause = admission.kind === 'pause' ? Math.min(admission.pause + 1, pausesMs.length - 1) : 0;
        return withRegister({ ...record, recent }, admission.register, nowMs, pause);
      }),
    noteSource: async (account, admission, { name, forget }, nowMs) =>
      decide(account, admission, nowMs, (record) => {
        const others = Object.entries(record.knownSources).filter(([other]) => !forget.includes(other));
        const shrunk = Object.entries(record.registers).map(([of, register]) => [of, { ...register, pause: 0 }]);
        return {
          ...record,
          knownSources: { ...Object.fromEntries(others), [name]: nowMs },
          registers:
            admission.kind === 'known' ? (Object.fromEntries(shrunk) as Stored['registers']) : record.registers,
        };
      }),
  };
}

/** The condition of the table of rates, over registers in memory; `asked` holds the key of each call. */
export function rateCountersFake(): RateCounterStore & { readonly asked: string[] } {
  const registers = new Map<string, readonly number[]>();
  const asked: string[] = [];
  return {
    asked,
    async add(key, { limit, windowMs }, nowMs) {
      asked.push(key);
      const times = registers.get(key) ?? [];
      if (times.length === limit && (times[0] ?? 0) > nowMs - windowMs) return { kind: 'full', times };
      registers.set(key, [...times, nowMs].slice(-limit));
      return { kind: 'added', times: registers.get(key) ?? [] };
    },
  };
}
