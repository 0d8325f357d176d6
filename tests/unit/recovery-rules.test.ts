import { expect, test } from 'vitest';
import { assertRight, type Judgement } from '#worker/recovery/recovery-rules.ts';

const STANDING = { used_at: null, email_key: 'mtu@example.com' };
const USED = { used_at: 1, email_key: 'mtu@example.com' };

test.each<[what: string, judgement: Judgement, code: string | null]>([
  ['right', { isRight: true, state: STANDING }, null],
  ['wrong', { isRight: false, state: STANDING }, 'invalid_code'],
  ['for a code that has expired', { isRight: null, state: STANDING }, 'code_expired'],
  ['for a code that was used', { isRight: null, state: USED }, 'invalid_code'],
  ['for a code that nobody has asked for', { isRight: null, state: null }, 'invalid_code'],
])('a guess that is %s', (_what, judgement, code) => {
  if (code === null) expect(() => assertRight(judgement)).not.toThrow();
  else expect(() => assertRight(judgement)).toThrow(expect.objectContaining({ code }));
});
