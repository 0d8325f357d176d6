import type { StartedProof } from '#contract/numbers.ts';
import { AppError } from '#worker/errors/app-error.ts';
import type { AppContext } from '#worker/http/app-env.ts';
import { clientAddress } from '#worker/http/client-address.ts';
import { newId } from '#worker/identity/ids.ts';
import { allowancesOf } from '#worker/limits/networks.ts';
import { assertTurn } from '#worker/limits/turns.ts';
import { composeText, digestSecret, digestText, MESSAGE_LIFETIME_MS } from './proof-rules.ts';
import { insertProof } from './proof-store.ts';

/** @throws AppError proof_unavailable if we cannot receive messages, or too_many_requests. */
export async function startProof(c: AppContext, number: string): Promise<StartedProof> {
  const { config, db, language } = c.var;
  const ours = config.whatsapp.displayNumber;
  if (ours === null) throw new AppError('proof_unavailable');
  const now = Date.now();
  const id = newId();
  const secret = newId();
  const text = composeText(language, number);
  const proof = {
    id,
    secretDigest: digestSecret(config.keys.code, secret),
    number,
    textDigest: digestText(config.keys.code, text),
  };
  const turns = allowancesOf(config, 'proof_address', clientAddress(c));
  assertTurn(await insertProof(db, proof, turns, now), now);
  const expiresAt = new Date(now + MESSAGE_LIFETIME_MS).toISOString();
  return { id, secret, url: `https://wa.me/${ours}?text=${encodeURIComponent(text)}`, expires_at: expiresAt };
}
