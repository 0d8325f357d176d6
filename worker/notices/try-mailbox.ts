import { getUserChannel, type UserChannelCalls } from '#durable/get-user-channel.ts';
import type { Env } from '#worker/env.ts';
import { errorName } from '#worker/errors/error-name.ts';
import { log } from '#worker/errors/log.ts';

/** Best effort: a mailbox that cannot be reached is only logged. */
export async function tryMailbox(
  env: Env,
  userId: string,
  act: (mailbox: UserChannelCalls) => Promise<void>,
): Promise<void> {
  try {
    await act(getUserChannel(env, userId));
  } catch (error) {
    log.warn('mailbox_unreachable', { name: errorName(error) });
  }
}
