import { OPS } from '../command.ts';

/** Lines of a shell that define `ops`, and tell a shell that stands elsewhere why it does nothing there. */
export const defineOps = `ops() {
  if [ ! -f infra/ops/cli.ts ]; then
    echo 'ops: change to the folder of the service first' >&2
    return 2
  fi
  ${OPS} "$@"
}`;
