import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { packLexiconOfSources } from '#scripts/lexicon/pack-lexicon.ts';
import { type Figures, measureRoutes } from './measure-routes.ts';
import { type FilledDatabase, prepareDatabases } from './prepare-databases.ts';
import { BASELINES, ROUTES, type Route } from './routes.ts';

const SIZES = '10000,100000,1000000';
const D1_MAX_BYTES = 10_000_000_000;

const { values } = parseArgs({ options: { sizes: { type: 'string', default: SIZES } } });
const sizes = values.sizes
  .split(',')
  .map(Number)
  .sort((a, b) => a - b);
packLexiconOfSources();
const databases = await prepareDatabases(sizes);
const routes = [...ROUTES, ...BASELINES];
const measured = await measureRoutes(databases, routes);
console.log(tableOf(sizes, routes, measured));
console.log();
for (const database of databases) console.log(weigh(database));

function tableOf(ofSizes: number[], all: Route[], figures: Map<Route, Figures[]>): string {
  const heads = [
    ...['', 'rows read', 'written', 'trips', 'bytes'],
    ...ofSizes.map((size) => `processor at ${nameOf(size)}, ms`),
    ...ofSizes.slice(1).map((size) => `ratio at ${nameOf(size)}`),
    'time through HTTP, p50 / p95, ms',
  ];
  const lines = all.map((route) => rowOf(route, figures.get(route) ?? []));
  return [heads, ['---', ...heads.slice(1).map(() => '--:')], ...lines]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');
}

function rowOf({ name, as }: Route, figures: Figures[]): string[] {
  const [first, ...others] = figures;
  const counts = (['read', 'written', 'trips', 'bytes'] as const).map((key) =>
    sameOrEach(figures.map((one) => one[key])),
  );
  return [
    as === 'visitor' ? name : `${name} (${as})`,
    ...counts,
    ...figures.map(({ processorMs }) => processorMs.toFixed(1)),
    ...others.map(({ processorMs }) => `${(processorMs / (first?.processorMs || 1)).toFixed(2)}×`),
    figures.map(({ time }) => `${time.p50.toFixed(0)} / ${time.p95.toFixed(0)}`).join(' → '),
  ];
}

/** One number if it is the same at every size. */
function sameOrEach(counts: number[]): string {
  const texts = counts.map((count) => count.toLocaleString('en'));
  return new Set(texts).size === 1 ? (texts[0] ?? '') : texts.join(' → ');
}

/** The bytes that a post takes, including its stored readings and indexes. */
function weigh({ size, file }: FilledDatabase): string {
  const db = new DatabaseSync(file, { readOnly: true });
  const one = (statement: string) => Object.values(db.prepare(statement).get() ?? {})[0] as number;
  const bytes = one('select page_count * page_size from pragma_page_count, pragma_page_size');
  const letters = one('select avg(length(search_text)) from posts').toFixed(0);
  const search = one("select sum(pgsize) from dbstat where name like 'posts%search%'");
  db.close();
  const each = bytes / size;
  return `${nameOf(size)} posts of ${letters} letters: ${each.toFixed(0)} bytes a post, ${(search / size).toFixed(0)} of them for searches: ${nameOf(Math.floor(D1_MAX_BYTES / each / 100_000) * 100_000)} in 10 GB`;
}

function nameOf(size: number): string {
  return size.toLocaleString('en');
}
