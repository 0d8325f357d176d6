import { expect, test } from 'vitest';
import type { ReportReason } from '#contract/report-reasons.ts';
import { chiefReason, toStandingMessage } from '#worker/moderation/moderation-rules.ts';

test.each<[chief: ReportReason, given: [ReportReason, number][], own: ReportReason]>([
  ['scam', [], 'scam'],
  ['offensive', [['offensive', 2]], 'scam'],
  ['scam', [['offensive', 1]], 'scam'],
  [
    'scam',
    [
      ['offensive', 2],
      ['scam', 1],
    ],
    'scam',
  ],
  [
    'private_data',
    [
      ['offensive', 2],
      ['private_data', 2],
    ],
    'other',
  ],
])('%s is what most say where %j have said so before and the last one says %s', (chief, given, own) => {
  expect(
    chiefReason(
      given.map(([reason, count]) => ({ reason, count })),
      own,
    ),
  ).toBe(chief);
});

test('what is hidden is told with who hides it and why, and what is restored without', () => {
  const post = { id: 'chapisho', title: 'Simu' };
  const at = { id: 'ujumbe', now: 0 };
  const same = { id: 'ujumbe', post_id: 'chapisho', title: 'Simu', created_at: '1970-01-01T00:00:00.000Z' };
  expect(toStandingMessage(post, { by: 'admin', reason: null }, at)).toEqual({
    ...same,
    ...{ type: 'post_hidden', hidden_by: 'admin', reason: null },
  });
  expect(toStandingMessage(post, null, at)).toEqual({ ...same, type: 'post_restored', hidden_by: null, reason: null });
});
