import { realpathSync } from 'node:fs';

/** Whether the module is the script that Node was started with. `import.meta.main` exists only from Node 24.2 on. */
export function isMain({ filename }: ImportMeta): boolean {
  return process.argv[1] !== undefined && realpathSync(process.argv[1]) === filename;
}
