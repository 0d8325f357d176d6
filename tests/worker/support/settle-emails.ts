import { env } from 'cloudflare:workers';
import { afterAll } from 'vitest';

const LONGEST_MS = 5_000;
const PAUSE_MS = 25;

/** Links whose e-mail is still on its way, as after every sign-up. */
function countUnsent(): Promise<number | null> {
  return env.DB.prepare(
    `select count(*) as n from email_links l where not exists (
       select 1 from email_messages m where m.id = l.id and m.status in ('accepted', 'failed'))`,
  ).first<number>('n');
}

// A queue that is still at work when a file is over finds its runner gone, and the run does not end.
afterAll(async () => {
  const until = Date.now() + LONGEST_MS;
  while ((await countUnsent()) !== 0 && Date.now() < until)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
});
