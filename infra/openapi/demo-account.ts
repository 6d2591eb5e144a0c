import type { SampleAccount } from '../../lib/contracts/contract-doc.ts';

export type DemoAccount = SampleAccount;

/** The account of the demo data that has every permission. */
export const demoAccount: DemoAccount = {
  tenant: 'demo.example',
  apiKey: '7a1e9c52-3f0b-4d68-9b1f-5c2d84e6a001',
  email: 'ana@demo.example',
  password: 'Demo-2026!',
};
