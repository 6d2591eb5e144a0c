import { readOptions } from '../command-line.ts';
import { print } from '../terminal.ts';
import { costTable, webAclText } from './cost-table.ts';

readOptions(`Usage: npm run costs

Prints what the service costs a month on AWS, by the number of suppliers, from list prices. More: infra/README.md`);

print(`${costTable()}\n\n${webAclText()}`);
