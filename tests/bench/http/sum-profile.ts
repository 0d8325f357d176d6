import type { Profiler } from 'node:inspector';

const ROWS = 16;

/** Tables of the share of time per part, and of the functions with the most time of their own. */
export function sumProfile({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): string {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parts = new Map<string, number>();
  const functions = new Map<string, number>();
  let total = 0;
  for (const [index, id] of samples.entries()) {
    const { callFrame } = byId.get(id) as Profiler.ProfileNode;
    const time = timeDeltas[index] ?? 0;
    if (callFrame.functionName === '(idle)') continue;
    total += time;
    const part = partOf(callFrame);
    parts.set(part, (parts.get(part) ?? 0) + time);
    const name = `${callFrame.functionName || '(anonymous)'} (${part})`;
    functions.set(name, (functions.get(name) ?? 0) + time);
  }
  return [parts, functions].map((times) => table(times, total)).join('\n\n');
}

function table(times: Map<string, number>, total: number): string {
  const rows = [...times].sort((a, b) => b[1] - a[1]).slice(0, ROWS);
  return rows.map(([name, time]) => `| ${name} | ${((100 * time) / total).toFixed(1)} % |`).join('\n');
}

/** Our folder, or the package, that a function comes from. */
function partOf({ url, functionName }: Profiler.ProfileNode['callFrame']): string {
  if (url === '') return functionName;
  const inPackage = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(url)?.[1];
  return inPackage ?? /\/((?:worker|contract|durable)\/[^/]+)/.exec(url)?.[1] ?? url.split('/').at(-1) ?? url;
}
