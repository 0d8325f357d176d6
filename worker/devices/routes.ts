import { Hono } from 'hono';
import type { Session } from '#contract/accounts.ts';
import type { Device } from '#contract/devices.ts';
import { AppError } from '#worker/errors/app-error.ts';
import { continueAfterAnswer } from '#worker/http/after-answer.ts';
import type { AppEnv } from '#worker/http/app-env.ts';
import { requireViewer } from '#worker/http/viewer.ts';
import { closeSockets } from './close-sockets.ts';
import { presentDevice } from './device-rules.ts';
import { endDevice, listDevices, renewDevice } from './store.ts';
import { nameOfCaller, toSession } from './to-session.ts';

/** In the place of a device's id: that of the session which asks, whose id the web app does not know. */
const CURRENT = 'current';

/** Below `/api/me`. */
export const deviceRoutes = new Hono<AppEnv>()
  .post('/token', requireViewer, async (c) => {
    await renewDevice(c.var.db, c.var.viewer, nameOfCaller(c), Date.now());
    return c.json((await toSession(c, c.var.viewer)) satisfies Session);
  })
  .get('/devices', requireViewer, async (c) => {
    const { viewer } = c.var;
    const devices = await listDevices(c.var.db, viewer);
    return c.json(devices.map((device) => presentDevice(device, viewer) satisfies Device));
  })
  .delete('/devices/:id', requireViewer, async (c) => {
    const { db, viewer } = c.var;
    const id = c.req.param('id');
    const deviceId = id === CURRENT ? viewer.sessionId : id;
    if (!(await endDevice(db, viewer, deviceId, Date.now()))) throw new AppError('not_found');
    continueAfterAnswer(c, closeSockets(c.env, db, viewer.userId));
    return c.body(null, 204);
  });
