import { LogFormatter, Logger, LogItem } from '@aws-lambda-powertools/logger';
import type { LogAttributes, UnformattedAttributes } from '@aws-lambda-powertools/logger/types';

class LineFormatter extends LogFormatter {
  override formatAttributes(line: UnformattedAttributes, additional: LogAttributes): LogItem {
    // Not the trace id, which a client may choose; the access log has it.
    const { logLevel, message, timestamp, serviceName } = line;
    const attributes = {
      level: logLevel,
      message,
      timestamp: this.formatTimestamp(timestamp),
      service: serviceName,
    };
    return new LogItem({ attributes }).addAttributes(additional);
  }

  /** An error of the SDK may have data of suppliers in its other properties. */
  override formatError({ name, message, stack, cause }: Error): LogAttributes {
    return { name, message, stack, cause: cause instanceof Error ? this.formatError(cause) : undefined };
  }
}

/** The process's logger: JSON lines, configured by the POWERTOOLS_* variables. */
export const logger = new Logger({ logFormatter: new LineFormatter() });
