import { type SQL, sql } from 'drizzle-orm';
import type { WhatsappJob } from '#contract/whatsapp.ts';
import type { Db } from '#worker/db/client.ts';
import { isOfTemplate, type SendFailure } from './graph-errors.ts';
import { isCodeJob } from './job.ts';

/** The name of the pause for all messages; `channelOf` adds the kind for those with one template. */
const CHANNEL = 'whatsapp';

/** Statement text: until when messages like the job's are paused; no row if they are not. */
export function pauseOf(job: WhatsappJob, now: number): SQL {
  return sql`
    select max(until) as until from whatsapp_pauses
    where channel in (${CHANNEL}, ${channelOf(job)}) and until > ${now} having count(*) > 0`;
}

function channelOf(job: WhatsappJob): string {
  return `${CHANNEL}:${isCodeJob(job) ? 'code' : job.kind}`;
}

/** Pauses all messages until then, or only those with the template of the job's kind. */
export async function pauseSending(
  db: Db,
  job: WhatsappJob,
  { until, failure }: { until: number; failure: SendFailure },
): Promise<void> {
  const channel = isOfTemplate(failure) ? channelOf(job) : CHANNEL;
  await db.repeatable.run(sql`
    insert into whatsapp_pauses (channel, until, error_code) values (${channel}, ${until}, ${failure.code ?? 0})
    on conflict (channel) do update set until = max(until, excluded.until), error_code = excluded.error_code`);
}
