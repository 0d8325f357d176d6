import { parseOptions } from '#scripts/command/parse-options.ts';
import { UserError } from '#scripts/command/user-error.ts';
import { DEFAULT_STATE_FOLDER, resolveStateFolder } from '#scripts/database/state-folder.ts';

export type DevArguments = {
  port: number;
  stateFolder: string;
  isEmpty: boolean;
  /** Whether to delete the local data first. */
  isReset: boolean;
  /** Whether changes to the web app are shown without a reload. */
  isHot: boolean;
  /** `KEY:VALUE`, as for wrangler. */
  vars: string[];
};

export const DEFAULT_PORT = 8787;
const PORT_MAX = 65_535;

/** @throws UserError that names the invalid argument. */
export function parseDevArguments(argv: string[]): DevArguments {
  const { values } = parseOptions({
    args: argv,
    options: {
      port: { type: 'string', default: String(DEFAULT_PORT) },
      'persist-to': { type: 'string', default: DEFAULT_STATE_FOLDER },
      empty: { type: 'boolean', default: false },
      reset: { type: 'boolean', default: false },
      hot: { type: 'boolean', default: false },
      var: { type: 'string', multiple: true, default: [] },
    },
  });
  return {
    port: parsePort(values.port),
    stateFolder: resolveStateFolder(values['persist-to']),
    isEmpty: values.empty,
    isReset: values.reset,
    isHot: values.hot,
    vars: values.var.map(checkVar),
  };
}

function parsePort(typed: string): number {
  const port = /^\d{1,5}$/.test(typed) ? Number(typed) : 0;
  if (port < 1 || port > PORT_MAX) throw new UserError(`--port takes a number from 1 to ${PORT_MAX}, not "${typed}".`);
  return port;
}

function checkVar(pair: string): string {
  if (!/^[A-Za-z_]\w*:/.test(pair)) throw new UserError(`--var takes KEY:VALUE, not "${pair}".`);
  return pair;
}
