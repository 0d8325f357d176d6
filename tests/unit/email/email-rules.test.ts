import { expect, test } from 'vitest';
import { LANGUAGES } from '#contract/language.ts';
import en from '#locales/en/outside/email.json';
import { composeConfirmation, composeNotice, escapeHtml, type NoticeEmail } from '#worker/email/compose-email.ts';
import { codeOf, judgeFailure, retryDelaySeconds, type Verdict } from '#worker/email/send-email.ts';

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

test('a notice by e-mail contains the title of the post, with HTML characters escaped in the HTML version', () => {
  const { text, html } = composeNotice(NOTICE);
  expect(text).toContain('“Simu <nyeusi>”');
  expect(html).toContain('“Simu &lt;nyeusi&gt;”');
});

test.each(LANGUAGES.flatMap((language) => [1, 3].map((waiting) => ({ language, waiting }))))(
  'an e-mail about a post without a title has no empty quotation marks (language: $language, waiting notices: $waiting)',
  (changes) => {
    const { text, html, subject } = composeNotice({ ...NOTICE, ...changes, title: '' });
    for (const body of [text, html, subject]) expect(body).not.toMatch(/“\s*”|\{/);
    expect(text).toContain(changes.waiting === 1 ? '/claims/claim-1' : '/notices');
  },
);

test('an e-mail about one claim notice links to the claim; an e-mail about several notices links to the list of notices', () => {
  expect(composeNotice(NOTICE).text).toContain('https://patikana.test/claims/claim-1');
  expect(composeNotice({ ...NOTICE, waiting: 2 }).text).toContain('https://patikana.test/notices');
});

test('a notice by e-mail has a recipient, a text and a link to unsubscribe', () => {
  const address = 'https://patikana.test/api/email/unsubscribe/u.v';
  const why = 'You get this email because email notices are switched on in your account. Stop these emails here:';
  expect(composeNotice({ ...NOTICE, title: 'Asha’s "simu" & \'kava\'' })).toEqual({
    to: 'asha@example.com',
    kind: 'claim_notice',
    language: 'en',
    subject: 'There is news about a claim on Patikana',
    text: `There is news about the claim for “Asha’s "simu" & 'kava'”. See it here:

https://patikana.test/claims/claim-1

${why}

${address}
`,
    html: [
      '<!doctype html><html lang="en"><meta charset="utf-8"><title>Patikana</title><body>',
      '<p>There is news about the claim for “Asha’s &quot;simu&quot; &amp; &#39;kava&#39;”. See it here:</p>',
      '<p><a href="https://patikana.test/claims/claim-1">https://patikana.test/claims/claim-1</a></p>',
      `<p>${why}</p><p><a href="${address}">${address}</a></p></body></html>`,
    ].join(''),
    headers: {
      References: '<notice-1@patikana.test>',
      'Auto-Submitted': 'auto-generated',
      'List-Unsubscribe': `<${address}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  });
});

test.each([
  ['en', 'match_notice', 1, 'A post on Patikana matches yours', 'A post on Patikana matches your post “Simu”.'],
  [
    'en',
    'match_notice',
    2,
    '2 notices wait for you on Patikana',
    '2 notices wait for you, the latest one about “Simu”.',
  ],
  [
    'sw',
    'match_notice',
    1,
    'Kuna tangazo kwenye Patikana linalofanana na lako',
    'linalofanana na tangazo lako “Simu”.',
  ],
  ['sw', 'claim_notice', 1, 'Kuna habari mpya kuhusu dai kwenye Patikana', 'Kuna habari mpya kuhusu dai la “Simu”.'],
  ['sw', 'claim_notice', 3, 'Arifa 3 zinakusubiri kwenye Patikana', 'Arifa 3 zinakusubiri'],
] as const)(
  'a notice e-mail describes a single waiting notice, or says how many notices wait (language: %s, type: %s, number: %i)',
  (language, kind, waiting, subject, sentence) => {
    const email = composeNotice({ ...NOTICE, title: 'Simu', language, kind, waiting });
    expect(email.subject).toBe(subject);
    for (const body of [email.text, email.html]) expect(body).toContain(sentence);
  },
);

test('the e-mail that asks a person to confirm their e-mail address says what the link does and when it expires', () => {
  const { id, to, origin, language } = NOTICE;
  const link = 'https://patikana.test/confirm-email#the-token';
  const [sentence, ending] = [en.confirm.sentence, en.confirm.ending];
  expect(composeConfirmation({ id, to, origin, language }, 'the-token')).toEqual({
    to,
    kind: 'confirm_email',
    language,
    subject: 'Confirm your email address',
    text: `${sentence}\n\n${link}\n\n${ending}\n`,
    html: expect.stringContaining(`<p>${sentence}</p><p><a href="${link}">${link}</a></p><p>${ending}</p>`),
    headers: { References: '<notice-1@patikana.test>', 'Auto-Submitted': 'auto-generated' },
  });
  expect(ending).toContain('24 hours');
});

test('escapeHtml escapes every character that has a meaning in HTML: <, >, & and both kinds of quotes', () => {
  expect(escapeHtml(`<a href="x" id='y'>&</a>`)).toBe('&lt;a href=&quot;x&quot; id=&#39;y&#39;&gt;&amp;&lt;/a&gt;');
});

const TABLE: Record<Verdict, (string | null)[]> = {
  retry: [null, 'E_RATE_LIMIT_EXCEEDED', 'E_INTERNAL_SERVER_ERROR', 'E_DELIVERY_FAILED', 'E_NEW', 'X_E_HEADER_X'],
  alarm: ['E_SENDER_NOT_VERIFIED', 'E_SENDER_DOMAIN_NOT_AVAILABLE', 'E_DAILY_LIMIT_EXCEEDED'],
  give_up: [
    'E_RECIPIENT_NOT_ALLOWED',
    'E_VALIDATION_ERROR',
    'E_FIELD_MISSING',
    'E_CONTENT_TOO_LARGE',
    'E_TOO_MANY_RECIPIENTS',
    'E_HEADER_NOT_ALLOWED',
    'E_HEADERS_TOO_LARGE',
  ],
  address_refused: ['E_RECIPIENT_SUPPRESSED'],
};

test.each(Object.entries(TABLE))(
  'the Worker’s reaction to a failed e-mail is “%s” for the error codes: %j',
  (verdict, codes) => {
    expect(codes.map((code) => judgeFailure(code))).toEqual(codes.map(() => verdict));
  },
);

test('only the error code of a failed e-mail is stored, because the text of the error may contain the e-mail address', () => {
  const withCode = (code: unknown) => Object.assign(new Error('refused: asha@example.com'), { code });
  expect(codeOf(withCode('E_DELIVERY_FAILED'))).toBe('E_DELIVERY_FAILED');
  expect(codeOf(withCode('x'.repeat(64)))).toBe('x'.repeat(64));
  for (const error of [
    new Error('E_X'),
    withCode(7),
    withCode('asha@example.com'),
    withCode(''),
    { code: 'E_X' },
    null,
  ])
    expect(codeOf(error)).toBeNull();
  expect(codeOf(withCode('x'.repeat(65)))).toBeNull();
});

test('a failed e-mail is retried after half a minute, then after doubling pauses of up to an hour, for about a day', () => {
  const delays = Array.from({ length: 28 }, (_, index) => retryDelaySeconds(index + 1));
  expect(delays.slice(0, 9)).toEqual([30, 60, 120, 240, 480, 960, 1920, 3600, 3600]);
  expect([delays[26], delays[27], retryDelaySeconds(29)]).toEqual([3600, null, null]);
});
