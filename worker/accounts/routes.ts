import { Hono } from 'hono';
import {
  type Device,
  meChangeSchema,
  passwordChangeSchema,
  registrationSchema,
  type Session,
  signInSchema,
} from '#contract/accounts.ts';
import {
  type NumberProof,
  numberChangeSchema,
  numberConfirmationSchema,
  numberProofInputSchema,
  PROOF_SECRET_HEADER,
  type Success,
} from '#contract/recovery.ts';
import { requireSwitchedOn } from '#worker/admin/switches.ts';
import { AppError } from '#worker/errors/app-error.ts';
import type { AppEnv } from '#worker/http/context.ts';
import { requireJson, requireMediaType, validate } from '#worker/http/validate.ts';
import { requireViewer } from '#worker/http/viewer.ts';
import { listDevices, nameOfCaller, presentDevice, renewDevice, toSession } from './devices.ts';
import { readMe, updateMe } from './me.ts';
import { sendProvingCode } from './prove-by-code.ts';
import { digestSecret, findOwnProof, presentProof, startProof } from './prove-by-message.ts';
import { register } from './register.ts';
import { openSession } from './sign-in.ts';
import { changePassword, signOutDevice, stayAlone } from './sign-out.ts';
import { changeNumber, sendChangingCode } from './take-number.ts';

/**
 * In a path, this word means the device that sends the request, because the web app does not know its own device's id.
 */
const CURRENT = 'current';

const SUCCESS: Success = { success: true };

/** Routes below `/api`. */
export const accountRoutes = new Hono<AppEnv>()
  .post('/users', requireJson, validate('json', registrationSchema), requireSwitchedOn('registration'), async (c) =>
    c.json(await register(c, c.req.valid('json')), 201),
  )
  .post(
    '/login',
    requireMediaType('application/x-www-form-urlencoded', 'multipart/form-data'),
    validate('form', signInSchema),
    async (c) => c.json(await openSession(c, c.req.valid('form'))),
  )
  // Proves a phone number without an account, before registration.
  .post('/auth/number-proofs', requireJson, validate('json', numberProofInputSchema), async (c) =>
    c.json(await startProof(c, c.req.valid('json').whatsapp_number), 201),
  )
  .get('/auth/number-proofs/:id', async (c) => {
    const { keys } = c.var.config;
    const secret = c.req.header(PROOF_SECRET_HEADER) ?? '';
    const proof = await findOwnProof(c.var.db, c.req.param('id'), digestSecret(keys.code, secret));
    if (!proof) throw new AppError('not_found');
    return c.json(presentProof(keys.code, proof, Date.now()) satisfies NumberProof);
  })
  .post('/auth/prove-number', requireJson, validate('json', numberProofInputSchema), async (c) => {
    await sendProvingCode(c, c.req.valid('json').whatsapp_number);
    return c.json(SUCCESS);
  });

/** Routes below `/api`. */
export const meRoutes = new Hono<AppEnv>()
  .get('/me', requireViewer, async (c) => c.json(await readMe(c.var, c.var.viewer)))
  .patch('/me', requireViewer, requireJson, validate('json', meChangeSchema), async (c) =>
    c.json(await updateMe(c.var, c.var.viewer, c.req.valid('json'))),
  )
  .post('/me/password', requireViewer, requireJson, validate('json', passwordChangeSchema), async (c) =>
    c.json(await changePassword(c, c.var.viewer, c.req.valid('json'))),
  )
  .post('/me/sign-out-everywhere', requireViewer, async (c) => c.json(await stayAlone(c, c.var.viewer, null)))
  .post('/me/token', requireViewer, async (c) => {
    await renewDevice(c.var.db, c.var.viewer, nameOfCaller(c), Date.now());
    return c.json((await toSession(c, c.var.viewer)) satisfies Session);
  })
  .get('/me/devices', requireViewer, async (c) => {
    const { viewer } = c.var;
    const devices = await listDevices(c.var.db, viewer);
    return c.json(devices.map((device) => presentDevice(device, viewer) satisfies Device));
  })
  .delete('/me/devices/:id', requireViewer, async (c) => {
    const { viewer } = c.var;
    const id = c.req.param('id');
    await signOutDevice(c, viewer, id === CURRENT ? viewer.sessionId : id);
    return c.body(null, 204);
  })
  // Changes an account's phone number.
  .post('/me/whatsapp-number', requireViewer, requireJson, validate('json', numberChangeSchema), async (c) => {
    await sendChangingCode(c, c.var.viewer, c.req.valid('json'));
    return c.json(SUCCESS);
  })
  .post(
    '/me/whatsapp-number/confirm',
    requireViewer,
    requireJson,
    validate('json', numberConfirmationSchema),
    async (c) => c.json(await changeNumber(c, c.var.viewer, c.req.valid('json'))),
  );
