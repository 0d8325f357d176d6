import { readConfig } from '#worker/env.ts';
import type { AppContext } from './app-env.ts';

/**
 * Returns the origin for canonical addresses and links that leave the app. With APP_ORIGIN the address that a client asked
 * under does not matter: another host that reaches the Worker is in no page, e-mail or QR code.
 */
export function readAppOrigin(c: AppContext): string {
  return readConfig(c.env).appOrigin ?? new URL(c.req.url).origin;
}
