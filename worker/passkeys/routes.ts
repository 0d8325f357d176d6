import { Hono } from 'hono';
import { PASSKEYS_MAX } from '#contract/limits.ts';
import { newPasskeySchema, type SteppedUp, stepUpSchema } from '#contract/passkeys.ts';
import { assertCurrentPassword } from '#worker/accounts/index.ts';
import { assertSameBody } from '#worker/db/idempotency.ts';
import { AppError, invalidField } from '#worker/errors/app-error.ts';
import type { AppContext, AppEnv } from '#worker/http/app-env.ts';
import { readIdempotencyKey } from '#worker/http/idempotency-key.ts';
import { requireJson, validate } from '#worker/http/validate.ts';
import { requireViewer } from '#worker/http/viewer.ts';
import { askForNew, askForOneOf, type Place, verifyNew, verifyShown } from './ceremonies.ts';
import { assertSteppedUp, presentPasskey } from './passkey-rules.ts';
import { deletePasskey, insertPasskey, keepChallenge, readPasskeys, recordStepUp, takeChallenge } from './store.ts';

export const passkeyRoutes = new Hono<AppEnv>()
  .get('/', requireViewer, async (c) => {
    const { passkeys } = await readPasskeys(c.var.db, c.var.viewer, Date.now());
    return c.json(passkeys.map(presentPasskey));
  })
  .post('/options', requireViewer, async (c) => {
    const { db, viewer } = c.var;
    const now = Date.now();
    const { admin, passkeys: known } = await readPasskeys(db, viewer, now);
    if (known.length >= PASSKEYS_MAX) throw new AppError('too_many_passkeys');
    const options = await askForNew(admin, { userId: viewer.userId, known, ...placeOf(c) });
    await keepChallenge(db, viewer, { purpose: 'add', challenge: options.challenge, now });
    return c.json(options);
  })
  .post('/', requireViewer, requireJson, validate('json', newPasskeySchema), async (c) => {
    const { db, viewer, config } = c.var;
    const now = Date.now();
    const answer = c.req.valid('json');
    const idempotencyKey = await readIdempotencyKey(c);
    const { admin, passkeys, repeated } = await readPasskeys(db, viewer, now, idempotencyKey);
    if (repeated) {
      assertSameBody(repeated, idempotencyKey);
      const made = passkeys.find(({ id }) => id === repeated.id);
      if (!made) throw new AppError('idempotency_conflict');
      return c.json(presentPasskey(made), 201);
    }
    // Otherwise a stolen token would be enough to add a passkey and use it.
    if (passkeys.length > 0) assertSteppedUp(admin, config.passkeys);
    else if (!answer.current_password) throw invalidField('current_password', 'password_required');
    else await assertCurrentPassword(c, viewer, answer.current_password);
    const challenge = await takeChallenge(db, viewer, 'add', now);
    if (challenge === null) throw new AppError('passkey_refused');
    const added = {
      ...(await verifyNew(answer, { challenge, ...placeOf(c) })),
      transports: answer.response.transports,
      idempotencyKey,
    };
    if (!(await insertPasskey(db, viewer, added, now))) throw new AppError('passkey_refused');
    return c.json(presentPasskey({ id: added.id, created_at: now, last_used_at: null }), 201);
  })
  .delete('/:id', requireViewer, async (c) => {
    const { db, viewer, config } = c.var;
    const { admin } = await readPasskeys(db, viewer, Date.now());
    assertSteppedUp(admin, config.passkeys);
    if (!(await deletePasskey(db, viewer, c.req.param('id')))) throw new AppError('passkey_not_found');
    return c.body(null, 204);
  });

export const stepUpRoutes = new Hono<AppEnv>()
  .post('/options', requireViewer, async (c) => {
    const { db, viewer } = c.var;
    const now = Date.now();
    const { passkeys } = await readPasskeys(db, viewer, now);
    if (passkeys.length === 0) throw new AppError('no_passkey');
    const options = await askForOneOf(passkeys, placeOf(c).relyingPartyId);
    await keepChallenge(db, viewer, { purpose: 'step_up', challenge: options.challenge, now });
    return c.json(options);
  })
  .post('/', requireViewer, requireJson, validate('json', stepUpSchema), async (c) => {
    const { db, viewer } = c.var;
    const now = Date.now();
    const answer = c.req.valid('json');
    const { passkeys } = await readPasskeys(db, viewer, now);
    const challenge = await takeChallenge(db, viewer, 'step_up', now);
    const passkey = passkeys.find(({ id }) => id === answer.id);
    if (challenge === null || !passkey) throw new AppError('passkey_refused');
    const counter = await verifyShown(answer, passkey, { challenge, ...placeOf(c) });
    const expiresAt = await recordStepUp(db, viewer, { id: passkey.id, before: passkey.counter, counter, now });
    if (expiresAt === null) throw new AppError('passkey_refused');
    return c.json({ expires_at: new Date(expiresAt).toISOString() } satisfies SteppedUp);
  });

function placeOf(c: AppContext): Place {
  const { origin, hostname } = new URL(c.req.url);
  return { relyingPartyId: c.var.config.passkeys.relyingPartyId ?? hostname, origin };
}
