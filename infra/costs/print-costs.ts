import { print } from '../local/terminal.ts';
import { costTable } from './cost-table.ts';

print(costTable());
