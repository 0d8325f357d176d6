import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMain, PROJECT_ROOT } from '#scripts/command/command.ts';

type Locked = {
  integrity?: string;
  license?: string;
  dev?: boolean;
  optional?: boolean;
  hasInstallScript?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
};
export type Lock = { packages: Record<string, Locked> };
type Manifest = { allowScripts: Record<string, boolean> };

/** Licences that shipped packages may have: they require attribution only. */
const SHIPPED = ['MIT', 'ISC', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD'];
/**
 * Further licences that build and test tools may have. Shipped packages must not have them, because the terms of these
 * licences would also bind the app.
 */
const TOOLS = ['MPL-2.0', 'LGPL-3.0-or-later', 'BlueOak-1.0.0', 'CC0-1.0', 'CC-BY-4.0'];

/**
 * Tools whose binaries for unused platforms have no hash in the lock file, because the registry has none
 * (docs/security.md).
 */
const UNHASHED = ['@biomejs/cli-', '@rollup/rollup-', '@tailwindcss/oxide-'];

/** Returns the problems of the packages that package-lock.json installs, one line each. */
export function findPackageProblems({ packages }: Lock, { allowScripts }: Manifest): string[] {
  const installed = Object.entries(packages).filter(([path]) => path !== '');
  return installed.flatMap(([path, entry]) => {
    const name = nameOf(path);
    return [
      ...(entry.integrity?.startsWith('sha512-') || isElsewhere(name, entry)
        ? []
        : [`${path} has no sha512: anything could be sent in its place.`]),
      ...(isLicensed(entry)
        ? []
        : [`${path} is under ${entry.license}, which is not in the list for what it is used for.`]),
      ...(entry.hasInstallScript && !allowScripts[name] ? [`${path} runs a script when it is installed.`] : []),
    ];
  });
}

/** Whether the package is a binary of an `UNHASHED` tool, for a platform that neither CI nor a deployment uses. */
function isElsewhere(name: string, { dev, optional, os, cpu, libc }: Locked): boolean {
  const isHere =
    (os?.includes('linux') ?? true) &&
    (cpu?.some((one) => /^(x64|arm64)$/.test(one)) ?? true) &&
    !libc?.includes('musl');
  return dev === true && optional === true && !isHere && UNHASHED.some((prefix) => name.startsWith(prefix));
}

/**
 * Whether the package's licence is allowed. A package without a licence in the lock file is a binary for one platform.
 * Such a package is allowed, because this script checks the licence of its parent package.
 */
function isLicensed({ license, dev }: Locked): boolean {
  if (license === undefined) return true;
  const allowed = dev ? [...SHIPPED, ...TOOLS] : SHIPPED;
  const terms = license.replace(/[()]/g, '');
  if (terms.includes(' OR ')) return terms.split(' OR ').some((term) => allowed.includes(term));
  return terms.split(' AND ').every((term) => allowed.includes(term));
}

/** Lists the packages that run a script when they are installed, each once. */
export function listScripted({ packages }: Lock): string[] {
  const scripted = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript);
  return [...new Set(scripted.map(([path]) => nameOf(path)))].sort();
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

function countLicences({ packages }: Lock): string {
  const shipped = Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev);
  const byLicence = Map.groupBy(shipped, ([, { license }]) => license ?? 'as its package');
  return [...byLicence].map(([licence, { length }]) => `${length} ${licence}`).join(', ');
}

if (isMain(import.meta)) {
  const read = (file: string) => JSON.parse(readFileSync(join(PROJECT_ROOT, file), 'utf8'));
  const lock: Lock = read('package-lock.json');
  const problems = findPackageProblems(lock, read('package.json'));
  for (const problem of problems) console.error(problem);
  console.log(`Checked ${Object.keys(lock.packages).length - 1} packages: ${problems.length} problems.`);
  const unhashed = Object.entries(lock.packages).filter(([path, { integrity }]) => path !== '' && !integrity).length;
  console.log(`Run a script when installed: ${listScripted(lock).join(', ')}.`);
  console.log(`Without a hash, for platforms that neither CI nor a deployment is on: ${unhashed}.`);
  console.log(`Shipped or run for people: ${countLicences(lock)}.`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
