import { expect, test } from 'vitest';
import { rotate, type SessionSecrets } from '#scripts/keys/session-secrets.ts';
import { toSessionKeys } from '#worker/identity/session-keys.ts';
import { signSessionToken, verifySessionToken } from '#worker/identity/session-token.ts';

const OLD = 'x'.repeat(43);
const FILE = `# Ours\nJWT_SECRET=${OLD}\nCODE_KEY=abc\n`;
const NOW = new Date('2026-11-22T09:00:00Z');

const keysOf = ({ JWT_SECRET, JWT_SECRET_PREVIOUS }: SessionSecrets) => toSessionKeys(JWT_SECRET, JWT_SECRET_PREVIOUS);

test('nobody is signed out at any moment, wherever a step has arrived and wherever not yet', async () => {
  const { steps } = rotate(FILE, NOW);
  const moments = [toSessionKeys(OLD, null), ...steps.map(keysOf)];
  for (const [index, signing] of moments.entries()) {
    const token = await signSessionToken(signing, { userId: 'asha', tokenVersion: 1, sessionId: crypto.randomUUID() });
    // A place is at most one step behind or ahead of another.
    for (const checking of moments.slice(Math.max(index - 1, 0), index + 2))
      expect(await verifySessionToken(checking, token)).toMatchObject({ userId: 'asha' });
  }
  const after = await signSessionToken(keysOf(steps[1]), {
    userId: 'asha',
    tokenVersion: 1,
    sessionId: crypto.randomUUID(),
  });
  expect(await verifySessionToken(toSessionKeys(OLD, null), after)).toBeNull();
});

test('the file holds both, says until when, and keeps everything else', () => {
  const { text, steps } = rotate(FILE, NOW, () => 'the-new-one');
  expect(text).toBe(`# Ours
JWT_SECRET=the-new-one
# JWT_SECRET_PREVIOUS has signed nothing since 2026-11-22, and may go after 2026-12-22.
JWT_SECRET_PREVIOUS=${OLD}
CODE_KEY=abc
`);
  expect(steps[1]).toEqual({ JWT_SECRET: 'the-new-one', JWT_SECRET_PREVIOUS: OLD });
});

test('a second time within the life of a token would sign people out, and is refused', () => {
  const { text } = rotate(FILE, NOW);
  expect(() => rotate(text, new Date('2026-12-21T09:00:00Z'))).toThrow('until 2026-12-22');
  expect(rotate(text, new Date('2026-12-23T09:00:00Z'), () => 'third').text.match(/JWT_SECRET/g)).toHaveLength(3);
});

test('a file without the secret is not guessed at', () => {
  expect(() => rotate('CODE_KEY=abc\n', NOW)).toThrow('no JWT_SECRET');
});
