import { sql } from 'drizzle-orm';
import type { ClaimRole } from '#contract/claims.ts';
import type { ReportedClaim } from '#contract/moderation.ts';

/** Expression: JSON of the whole claim that the report `r` is about, unredacted; null for a report on a post. */
export const REPORTED_CLAIM = sql.raw(`(
  select json_object('id', k.id, 'claimant_id', k.claimant_id,
    'status', iif(k.state in ('declining', 'declining_asked'), 'declined', k.state),
    'question', k.question, 'private_marks', k.private_marks, 'answer', k.answer, 'messages', (
      select json_group_array(json_object('from', s."by", 'text', s.text, 'is_about_money', s.is_about_money,
        'sent_at', coalesce(s.claimant_at, s.finder_at)))
      from (select * from claim_steps where claim_id = k.id and text is not null order by seq) s))
  from claims k where k.id = r.claim_id)`);

type StoredMessage = { from: ClaimRole; text: string; is_about_money: 0 | 1; sent_at: number };
type StoredClaim = Omit<ReportedClaim, 'messages'> & { messages: StoredMessage[] };

export function presentReportedClaim(json: string | null): ReportedClaim | null {
  if (json === null) return null;
  const { messages, ...claim } = JSON.parse(json) as StoredClaim;
  return {
    ...claim,
    messages: messages.map(({ from, text, is_about_money, sent_at }) => ({
      from,
      text,
      is_about_money: is_about_money === 1,
      created_at: new Date(sent_at).toISOString(),
    })),
  };
}
