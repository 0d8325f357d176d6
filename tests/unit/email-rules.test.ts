import { expect, test } from 'vitest';
import { LANGUAGES } from '#contract/language.ts';
import { composeNotice, type NoticeEmail } from '#worker/email/email-rules.ts';

const NOTICE: NoticeEmail = {
  id: 'notice-1',
  to: 'asha@example.com',
  origin: 'https://patikana.test',
  language: 'en',
  kind: 'claim_notice',
  title: 'Simu <nyeusi>',
  claimId: 'claim-1',
  waiting: 1,
  unsubscribing: 'u.v',
};

test('an e-mail names the thing, and its markup is no markup in the page', () => {
  const { text, html } = composeNotice(NOTICE);
  expect(text).toContain('“Simu <nyeusi>”');
  expect(html).toContain('“Simu &lt;nyeusi&gt;”');
});

test.each(LANGUAGES.flatMap((language) => [1, 3].map((waiting) => ({ language, waiting }))))(
  'where the title is gone with its author, no empty quotes stand in its place ($language, $waiting)',
  (changes) => {
    const { text, html, subject } = composeNotice({ ...NOTICE, ...changes, title: '' });
    for (const body of [text, html, subject]) expect(body).not.toMatch(/“\s*”|\{/);
    expect(text).toContain(changes.waiting === 1 ? '/claims/claim-1' : '/notices');
  },
);

test('an e-mail of one claim leads to it, of several notices to all of them', () => {
  expect(composeNotice(NOTICE).text).toContain('https://patikana.test/claims/claim-1');
  expect(composeNotice({ ...NOTICE, waiting: 2 }).text).toContain('https://patikana.test/notices');
});
