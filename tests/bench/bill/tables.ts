import { ASSUMED, MEASURED, MEASURED_BY, USERS } from './assumptions.ts';
import { billOf, dayOf, strainOf, usageOf } from './compute-bill.ts';
import { type Metered, PLAN_DOLLARS, PRICES } from './prices.ts';

const UNITS: Record<Metered, string> = {
  requests: 'requests of the Worker',
  processorMs: 'ms of the processor',
  rowsRead: 'rows read',
  rowsWritten: 'rows written',
  databaseGb: 'GB of the database',
  objectRequests: 'requests of objects',
  objectGbSeconds: 'GB-s of objects',
  objectRowsWritten: 'rows written by objects',
  objectGb: 'GB of objects',
  queueOperations: 'operations of queues',
  photoGb: 'GB of photos',
  photoWrites: 'photos’ objects written',
  photoReads: 'photos’ objects read',
  transformations: 'transformations of pictures',
  logLines: 'lines of the log',
};

/** What a day has, what a month costs, and how much of each limit is used, as docs/scale.md shows them. */
export function billTables(): string[] {
  return [dayTable(), billTable(), strainTable(), assumedTable(), measuredTable()];
}

const SIZES = USERS.map((users) => `${short(users)} users`);

function table([first = '', ...others]: string[], rows: string[][]): string {
  const lines = [[first, ...others], ['---', ...others.map(() => '--:')], ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function dayTable(): string {
  const rows = {
    visits: 'visits',
    requests: 'requests of the API',
    posts: 'posts',
    notices: 'notices',
    photos: 'photos',
  };
  return table(
    ['a day', ...SIZES],
    Object.entries(rows).map(([name, label]) => [
      label,
      ...USERS.map((users) => short(dayOf(users)[name as keyof typeof rows])),
    ]),
  );
}

function billTable(): string {
  const bills = USERS.map((users) => ({ usage: usageOf(users), bill: billOf(users) }));
  const rows = (Object.keys(PRICES) as Metered[]).map((name) => [
    UNITS[name],
    ...bills.map(({ usage, bill }) => `${short(usage[name])}: ${dollars(bill.items[name])}`),
  ]);
  return table(
    ['a month', ...SIZES],
    [
      ['the plan', ...USERS.map(() => dollars(PLAN_DOLLARS))],
      ...rows,
      ['**together**', ...bills.map(({ bill }) => `**${dollars(bill.total)}**`)],
    ],
  );
}

function strainTable(): string {
  const rows = {
    transformations: 'the 5,000 free transformations a month',
    whatsapp: 'a new WhatsApp number’s 250 people a day',
    databaseSize: 'one database’s 10 GB, after two years',
    databaseTime: 'one database’s time in the busiest second',
  };
  const [few] = USERS;
  return table(
    ['of a limit', ...SIZES, 'all of it at'],
    Object.entries(rows).map(([name, label]) => {
      const strain = (users: number) => strainOf(users)[name as keyof typeof rows];
      const shares = USERS.map((users) => `${Math.round(100 * strain(users)).toLocaleString('en')} %`);
      return [label, ...shares, `${short(few / strain(few))} users`];
    }),
  );
}

function assumedTable(): string {
  return table(
    ['assumed', 'value'],
    Object.entries(ASSUMED).map(([name, value]) => [`\`${name}\``, `${value}`]),
  );
}

function measuredTable(): string {
  const names = Object.keys(MEASURED) as (keyof typeof MEASURED)[];
  return table(
    ['measured, or counted', 'value', 'by'],
    names.map((name) => [`\`${name}\``, `${MEASURED[name]}`, MEASURED_BY[name]]),
  );
}

function dollars(amount: number): string {
  const digits = amount < 100 ? 2 : 0;
  const shown = amount.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return amount < 0.005 ? '–' : `$${shown}`;
}

function short(count: number): string {
  return new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 }).format(count);
}
