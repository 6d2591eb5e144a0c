/** npm run bench: times the running service through the client, and the client against a bare loop of fetch. */
import { cpus } from 'node:os';
import { startService } from '../../infra/local/service.ts';
import { benchClient } from './bench-client.ts';
import { benchEndpoints } from './bench-endpoints.ts';
import { benchList } from './bench-list.ts';
import { importSupplier } from './import-supplier.ts';

const service = await startService({ port: 0, dynamodbPort: 0, demo: true, quiet: true });
try {
  console.log(`Node ${process.version}, ${cpus().length} processors. Importing 1,000 and 100,000 invoices ...`);
  await importSupplier(service, '202', 1_000);
  const seconds = await importSupplier(service, '203', 100_000);
  console.log(`100,000 invoices of one supplier were imported in ${seconds.toFixed(0)} s.\n`);
  await benchEndpoints(service);
  await benchList(service);
  await benchClient(service);
} finally {
  await service.close();
}
