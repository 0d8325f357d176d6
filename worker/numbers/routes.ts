import { Hono } from 'hono';
import {
  type NumberProof,
  numberChangeSchema,
  numberConfirmationSchema,
  numberProofInputSchema,
  PROOF_SECRET_HEADER,
  type StartedProof,
} from '#contract/numbers.ts';
import type { Success } from '#contract/recovery.ts';
import { assertCurrentPassword, readMe } from '#worker/accounts/index.ts';
import { AppError } from '#worker/errors/app-error.ts';
import type { AppEnv } from '#worker/http/app-env.ts';
import { clientAddress } from '#worker/http/client-address.ts';
import { requireJson, validate } from '#worker/http/validate.ts';
import { requireViewer } from '#worker/http/viewer.ts';
import { allowanceOf } from '#worker/limits/allowance.ts';
import { refuseBarredNumber } from '#worker/limits/bars.ts';
import { codesFromAddress, codesToNumber, recipientsOfAddress } from '#worker/limits/code-requests.ts';
import { judgeEvidence } from './judge-evidence.ts';
import { digestSecret, presentProof } from './proof-rules.ts';
import { findOwnProof } from './proof-store.ts';
import { sendCode } from './send-code.ts';
import { startProof } from './start-proof.ts';
import { changeNumber } from './store.ts';

const SUCCESS: Success = { success: true };

/** Proving a number without an account, before registration. */
export const numberRoutes = new Hono<AppEnv>()
  .post('/number-proofs', requireJson, validate('json', numberProofInputSchema), async (c) => {
    const { whatsapp_number: number } = c.req.valid('json');
    await refuseBarredNumber(c.var.db, c.var.config, number, Date.now());
    return c.json((await startProof(c, number)) satisfies StartedProof, 201);
  })
  .get('/number-proofs/:id', async (c) => {
    const { keys } = c.var.config;
    const secret = c.req.header(PROOF_SECRET_HEADER) ?? '';
    const proof = await findOwnProof(c.var.db, c.req.param('id'), digestSecret(keys.code, secret));
    if (!proof) throw new AppError('not_found');
    return c.json(presentProof(keys.code, proof, Date.now()) satisfies NumberProof);
  })
  .post('/prove-number', requireJson, validate('json', numberProofInputSchema), async (c) => {
    const { config, db, language } = c.var;
    const { whatsapp_number: number } = c.req.valid('json');
    const now = Date.now();
    await refuseBarredNumber(db, config, number, now);
    const turns = [
      allowanceOf(config, 'prove_request', number),
      ...codesToNumber(config, number),
      ...codesFromAddress(config, clientAddress(c), number, now),
    ];
    await sendCode(c, { kind: 'prove_number', subject: number, number, language, turns });
    return c.json(SUCCESS);
  });

/** Changing an account's number. */
export const ownNumberRoutes = new Hono<AppEnv>()
  .post('/', requireViewer, requireJson, validate('json', numberChangeSchema), async (c) => {
    const { config, db, viewer } = c.var;
    const { whatsapp_number: number, current_password } = c.req.valid('json');
    await assertCurrentPassword(c, viewer, current_password);
    const now = Date.now();
    await refuseBarredNumber(db, config, number, now);
    const { language } = await readMe(c.var, viewer);
    const turns = [
      allowanceOf(config, 'change_request', number),
      allowanceOf(config, 'change_account', viewer.userId),
      ...codesToNumber(config, number),
      ...recipientsOfAddress(config, clientAddress(c), number, now),
    ];
    await sendCode(c, { kind: 'change_number', subject: viewer.userId, number, language, turns });
    return c.json(SUCCESS);
  })
  .post('/confirm', requireViewer, requireJson, validate('json', numberConfirmationSchema), async (c) => {
    const { config, db, viewer } = c.var;
    const { current_password, ...brought } = c.req.valid('json');
    const now = Date.now();
    // Checks the token before the code, so that a revoked token cannot use up the code's tries.
    if (brought.number_proof === null) await readMe(c.var, viewer);
    else await assertCurrentPassword(c, viewer, current_password ?? '');
    const asked = { kind: 'change_number', subject: viewer.userId, address: null } as const;
    const evidence = await judgeEvidence(c, brought, asked, now);
    if (!evidence) throw new AppError('invalid_code');
    await refuseBarredNumber(db, config, evidence.number, now);
    await changeNumber(db, viewer, evidence, now);
    return c.json(await readMe(c.var, viewer));
  });
