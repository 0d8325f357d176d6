import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { PROJECT_ROOT } from '#scripts/command/project-root.ts';
import { UserError } from '#scripts/command/user-error.ts';
import { askWrangler, reportWrangler, type WranglerReport } from '#scripts/wrangler/run-wrangler.ts';

/** Everything that a deployment does outside of this process. Each action prints a line. */
export type Platform = {
  /** @returns the JSON output of a wrangler command. @throws UserError if it fails. */
  ask: typeof askWrangler;
  /** Runs a wrangler command that changes something. @returns wrangler's report. @throws UserError if it fails. */
  run(args: string[], isExpected?: (failure: WranglerReport) => boolean): Promise<WranglerReport>;
  /** @throws UserError if the smoke test fails. */
  smoke(args: string[]): Promise<void>;
  wait(seconds: number): Promise<void>;
};

export const cloudflare: Platform = {
  ask(args) {
    sayCommand(['npx', 'wrangler', ...args, '--json']);
    return askWrangler(args);
  },

  async run(args, isExpected = () => false) {
    sayCommand(['npx', 'wrangler', ...args]);
    const report = await reportWrangler(args);
    if (report.type === 'command-failed' && !isExpected(report))
      throw new UserError(`wrangler ${args.slice(0, 3).join(' ')} failed.`);
    return report;
  },

  async smoke(args) {
    sayCommand(['npm', 'run', 'smoke', '--', ...args]);
    const script = ['scripts/smoke.ts', ...args];
    const [code] = await once(spawn(process.execPath, script, { cwd: PROJECT_ROOT, stdio: 'inherit' }), 'exit');
    if (code !== 0) throw new UserError('The smoke test failed.');
  },

  async wait(seconds) {
    sayWait(seconds);
    await sleep(seconds * 1_000);
  },
};

/** Prints the actions of a successful deployment without doing any. */
export const rehearsal: Platform = {
  async ask<Answer>(args: string[]) {
    sayCommand(['npx', 'wrangler', ...args, '--json']);
    return { bookmark: 'BOOKMARK', versions: [{ version_id: 'OLD', percentage: 100 }] } as Answer;
  },

  async run(args) {
    sayCommand(['npx', 'wrangler', ...args]);
    return { type: 'rehearsed', version_id: 'NEW', worker_name: 'WORKER' };
  },

  async smoke(args) {
    sayCommand(['npm', 'run', 'smoke', '--', ...args]);
  },

  async wait(seconds) {
    sayWait(seconds);
  },
};

/** Prints a command in a form that can be copied into a shell. */
function sayCommand(words: string[]): void {
  console.log(`\n$ ${words.map((word) => (/["\s]/.test(word) ? `'${word}'` : word)).join(' ')}`);
}

function sayWait(seconds: number): void {
  if (seconds > 0) console.log(`\nWaits ${seconds} s for what the log and people say.`);
}
