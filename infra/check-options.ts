import { CommandError } from './process/terminal.ts';
import type { CustomDomain, ExistingTables, StageOptions } from './stages.ts';

const REGION = /^[a-z]+(-[a-z]+)+-\d+$/;
const WHOLE_NUMBER = /^[1-9]\d{0,8}$/;

/** The patterns of the options whose values CloudFormation does not check before a deployment. */
const OPTION_PATTERNS = {
  account: /^\d{12}$/,
  region: REGION,
  replicaRegion: REGION,
  alarmEmail: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
  writeUnitsPerHour: WHOLE_NUMBER,
  loginConcurrency: WHOLE_NUMBER,
} satisfies { readonly [Name in keyof StageOptions]: RegExp };

/** Throws a CommandError for the first invalid option that a deployment would report only after its start. */
export function checkOptions(options: StageOptions): void {
  for (const [name, pattern] of Object.entries(OPTION_PATTERNS)) {
    const value = options[name as keyof typeof OPTION_PATTERNS];
    const isInvalid = value !== undefined && !pattern.test(String(value));
    if (isInvalid) throw new CommandError(`${name}=${value} is invalid. infra/README.md explains the options.`);
  }
  checkReplicaRegion(options);
  if (options.domain !== undefined) checkDomain(options.domain);
  if (options.tables !== undefined) checkTables(options.tables, options.events);
}

function checkReplicaRegion({ region, replicaRegion }: StageOptions): void {
  if (replicaRegion === undefined) return;
  if (region === undefined) throw new CommandError('The option replicaRegion also needs region.');
  const isSameRegion = replicaRegion === region;
  if (isSameRegion) throw new CommandError(`replicaRegion=${replicaRegion} is not another region than ${region}.`);
}

function checkDomain({ domainName, hostedZoneName }: CustomDomain): void {
  const isInZone = domainName === hostedZoneName || domainName.endsWith(`.${hostedZoneName}`);
  if (!isInZone) throw new CommandError(`domainName=${domainName} is not a name in the zone ${hostedZoneName}.`);
}

function checkTables(tables: ExistingTables, events = false): void {
  const { Invoices, Declarations, DeclarationsStream } = tables;
  const hasOnlyOne = (Invoices === undefined) !== (Declarations === undefined);
  if (hasOnlyOne) {
    throw new CommandError(
      'Set tables.Invoices and tables.Declarations together, so that each history is as old as its invoice.',
    );
  }
  if (DeclarationsStream !== undefined && !DeclarationsStream.includes(`:table/${Declarations}/`)) {
    throw new CommandError(
      `DeclarationsStream=${DeclarationsStream} is not the ARN of a stream of the table tables.Declarations.`,
    );
  }
  if (events && Declarations !== undefined && DeclarationsStream === undefined) {
    throw new CommandError(
      'With events, tables.Declarations also needs tables.DeclarationsStream: the LatestStreamArn of the table, ' +
        `which aws dynamodb describe-table --table-name ${Declarations} prints.`,
    );
  }
}
