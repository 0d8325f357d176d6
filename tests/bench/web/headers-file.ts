/** One block of a `_headers` file: its paths, the headers that it sets, and those of earlier blocks that it removes. */
export type HeaderRule = { path: RegExp; set: [name: string, value: string][]; drop: string[] };

export function parseHeaders(text: string): HeaderRule[] {
  const rules: HeaderRule[] = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '' || line.trim().startsWith('#')) continue;
    const current = rules.at(-1);
    if (!/^\s/.test(line)) rules.push({ path: toPattern(line.trim()), set: [], drop: [] });
    else if (line.trim().startsWith('!')) current?.drop.push(line.trim().slice(1).trim().toLowerCase());
    else current?.set.push([line.slice(0, line.indexOf(':')).trim(), line.slice(line.indexOf(':') + 1).trim()]);
  }
  return rules;
}

/** Returns the file's headers for one path. Later blocks override earlier ones. */
export function headersFor(rules: HeaderRule[], path: string): [name: string, value: string][] {
  const headers = new Map<string, [string, string]>();
  for (const rule of rules) {
    if (!rule.path.test(path)) continue;
    for (const name of rule.drop) headers.delete(name);
    for (const [name, value] of rule.set) headers.set(name.toLowerCase(), [name, value]);
  }
  return [...headers.values()];
}

function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`);
}
