import { print } from '../terminal.ts';
import { costTable, webAclText } from './cost-table.ts';

print(`${costTable()}\n\n${webAclText()}`);
