import type { OptionReader } from './option-reader.ts';
import { CommandError } from './process/terminal.ts';
import type { CustomDomain, ExistingTables, RecoverableTable } from './stages.ts';

/** A region such as `eu-west-1`. */
const REGION = '[a-z]+(-[a-z]+)+-\\d+';
/** A domain name such as `api.portal.example`. */
const HOST_NAME = /^([a-z0-9-]+\.)+[a-z]{2,}$/;
/** An ARN such as `arn:aws:acm:eu-west-1:123456789012:certificate/0a1b2c3d`. */
const CERTIFICATE_ARN = /^arn:[\w-]+:acm:[\w-]+:\d{12}:certificate\/.+$/;
const TABLE_NAME = /^[\w.-]{3,255}$/;

/** Reads the region of the stack, and the region of its replicas. Throws a CommandError if both are the same region. */
export function readRegions(options: OptionReader) {
  const region = options.readText('region', new RegExp(`^${REGION}$`), 'a region, such as eu-west-1');
  const otherRegion = new RegExp(`^(?!${region}$)${REGION}$`);
  const replicaRegion = options.readText(
    'replicaRegion',
    otherRegion,
    `another region than ${region ?? 'that of the stack'}`,
  );
  if (replicaRegion !== undefined && region === undefined)
    throw new CommandError('The option replicaRegion also needs region.');
  return { region, replicaRegion };
}

/**
 * Reads the options with the names of existing tables: `tables.Invoices` is the name of the table Invoices. Throws a
 * CommandError if the names cannot be used together, or if `events` is true and the stream is missing.
 */
export function readExistingTables(options: OptionReader, events: boolean): ExistingTables {
  const readName = (table: RecoverableTable) => options.readText(`tables.${table}`, TABLE_NAME, 'the name of a table');
  const names = {
    Directory: readName('Directory'),
    Invoices: readName('Invoices'),
    Declarations: readName('Declarations'),
  };
  const { Invoices, Declarations } = names;
  const DeclarationsStream = options.readText(
    'tables.DeclarationsStream',
    buildStreamPattern(Declarations ?? ''),
    'the ARN of a stream of the table tables.Declarations',
  );
  if ((Invoices === undefined) !== (Declarations === undefined))
    throw new CommandError(
      'Set tables.Invoices and tables.Declarations together, so that each history is as old as its invoice.',
    );
  if (events && Declarations !== undefined && DeclarationsStream === undefined)
    throw new CommandError(
      'With events, tables.Declarations also needs tables.DeclarationsStream: the LatestStreamArn of the table, ' +
        `which aws dynamodb describe-table --table-name ${Declarations} prints.`,
    );
  return { ...names, DeclarationsStream };
}

/** Builds the pattern of `arn:aws:dynamodb:eu-west-1:123456789012:table/NAME/stream/2026-11-20T13:59:59.000`. */
function buildStreamPattern(tableName: string): RegExp {
  const escapedName = tableName.replaceAll('.', String.raw`\.`);
  return new RegExp(String.raw`^arn:[\w-]+:dynamodb:[\w-]+:\d{12}:table/${escapedName}/stream/.+$`);
}

/** Reads the options of a custom domain. Returns undefined if none is set; throws a CommandError for a missing one. */
export function readCustomDomain(options: OptionReader): CustomDomain | undefined {
  const domain = {
    domainName: options.readText('domainName', HOST_NAME, 'a domain name in lower case'),
    certificateArn: options.readText('certificateArn', CERTIFICATE_ARN, 'the ARN of a certificate'),
    hostedZoneId: options.readText('hostedZoneId', /^Z[A-Z0-9]+$/, 'the id of a zone, such as Z0123456789ABC'),
    hostedZoneName: options.readText('hostedZoneName', HOST_NAME, 'a domain name in lower case'),
  };
  const missingNames = Object.keys(domain).filter((name) => domain[name as keyof CustomDomain] === undefined);
  if (missingNames.length === Object.keys(domain).length) return undefined;
  if (missingNames.length > 0) throw new CommandError(`A custom domain also needs ${missingNames.join(', ')}.`);
  const { domainName, hostedZoneName } = domain;
  if (!`.${domainName}`.endsWith(`.${hostedZoneName}`))
    throw new CommandError(`domainName=${domainName} is not a name in the zone ${hostedZoneName}.`);
  return domain as CustomDomain;
}
