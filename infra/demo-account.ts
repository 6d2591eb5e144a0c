/** The account with which to start. */
export interface DemoAccount {
  readonly tenant: string;
  readonly apiKey: string;
  readonly email: string;
  readonly password: string;
}

/** The account of the demo data that may do everything. */
export const demoAccount: DemoAccount = {
  tenant: 'demo.example',
  apiKey: '7a1e9c52-3f0b-4d68-9b1f-5c2d84e6a001',
  email: 'ana@demo.example',
  password: 'Demo-2026!',
};
