import type { Family } from '../mutant.ts';

const POLICIES = 'lib/rate-limit/policies.ts';
const STATUS = 'lib/rate-limit/rate-status.ts';
const AUTHORIZE = 'lib/http/authorize.ts';
const LOGIN = 'lib/endpoints/login.ts';
const GUARD = 'lib/rate-limit/login-guard.ts';
const GUARD_TABLE = 'lib/storage/access/login-guard-table.ts';
const COUNTERS = 'lib/storage/access/rate-counter-table.ts';

/** The sliding window and what its headers say. */
export const windows: Family = {
  rules: [
    'limits/read',
    'limits/write',
    'limits/sliding-window',
    'auth/rule-8',
    'codes/RATE_LIMITED/',
    'rate-headers/',
  ],
  mutants: [
    ['31 reads pass', POLICIES, 'limit: 30', 'limit: 31'],
    ['9 writes pass', POLICIES, 'limit: 10', 'limit: 9'],
    ['the window of reads is 59 s', POLICIES, 'limit: 30, windowMs: 60_000', 'limit: 30, windowMs: 59_000'],
    ['the window of writes is 61 s', POLICIES, 'limit: 10, windowMs: 60_000', 'limit: 10, windowMs: 61_000'],
    ['users of a tenant share a limit', AUTHORIZE, 'count(`${tenant}#${userId}`', 'count(`${tenant}#`'],
    ['namesakes of two tenants share a limit', AUTHORIZE, 'count(`${tenant}#${userId}`', 'count(`#${userId}`'],
    ['writes count as reads', AUTHORIZE, 'PORTAL_POLICIES[access]', 'PORTAL_POLICIES.read'],
    ['a refused request goes on', AUTHORIZE, "if (limit.kind === 'refused')", "if (limit.kind === 'never')"],
    [
      'a refused request is not told when to come back',
      AUTHORIZE,
      '    state.retryAfterSeconds = limit.retryAfterSeconds;\n',
      '',
    ],
    ['what is a window old counts', STATUS, 'time > nowMs - windowMs', 'time >= nowMs - windowMs'],
    ['one more remains', STATUS, 'Math.max(0, limit - inside.length)', 'Math.max(0, limit - inside.length + 1)'],
    ['the reset is that of the newest', STATUS, 'Math.min(...inside)', 'Math.max(...inside)'],
    ['a write that is repeated counts twice', COUNTERS, ' AND ${isNew}', ''],
    ['a write is not repeated', COUNTERS, '.catch(() => write(`${hasPlace} AND ${isNew}`))', ''],
    ['a place is free 1 ms early', COUNTERS, 'afterMs(nowMs - windowMs)', 'afterMs(nowMs - windowMs) + 1'],
    ['the wait may be 0 s', STATUS, 'Math.max(1, Math.ceil(', 'Math.max(0, Math.floor('],
  ],
};

/** Logins, and the guard against guessing. */
export const logins: Family = {
  rules: [
    'auth/rule-6/',
    'auth/rule-1/wrong-credentials',
    'auth/rule-2/login',
    'auth/rule-4/login',
    'limits/login',
    'login/',
  ],
  mutants: [
    ['6 failures block', POLICIES, 'limit: 5, windowMs: 30_000', 'limit: 6, windowMs: 30_000'],
    ['failures are forgotten after 20 s', POLICIES, 'windowMs: 30_000', 'windowMs: 20_000'],
    ['a block lasts 30 s', POLICIES, 'blockMs: 60_000', 'blockMs: 30_000'],
    ['a blocked source has its passwords checked', GUARD, 'if (endMs > nowMs)', 'if (endMs > nowMs + 99_000)'],
    ['what others used up meanwhile does not matter', GUARD, "if (kind === 'refused') throw", 'if (nowMs < 0) throw'],
    ['a failure that is repeated counts twice', GUARD_TABLE, ' AND ${failure.isNew}', ''],
    ['5 failures within 30 s and 1 ms block', GUARD_TABLE, 'windowMs - 1,', 'windowMs,'],
    ['sources share their failures', LOGIN, 'source: sourceIp', "source: '192.0.2.1'"],
    [
      'wrong credentials are told something else',
      'lib/domain/texts.ts',
      'Invalid email or password.',
      'Wrong password.',
    ],
    ['any password is right', 'lib/services/verify-credentials.ts', 'if (user && matches)', 'if (user)'],
    ['a username is an e-mail', LOGIN, 'user?.email.toLowerCase() === input.email.toLowerCase()', 'user !== null'],
    ['player ids are not kept', LOGIN, 'if (input.playerid)', 'if (!input)'],
    ['an inactive user logs in', LOGIN, 'ports.requireActiveUser(right.snapshot, now)', 'right.user'],
  ],
};
