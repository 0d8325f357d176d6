import type { LiveMessage } from '#contract/live-messages.ts';
import type { Env } from '#worker/env.ts';
import type { Ticket } from '#worker/identity/session-token.ts';
import type { Sessions } from './mailbox.ts';

/** What the Worker may ask of a user's object. Everything may be asked again: the second time changes nothing. */
export type Channel = {
  /** Stores the messages and sends the new ones to the user's open sockets; one that waits here is renewed. */
  deliver(messages: LiveMessage[]): Promise<void>;
  /** These were read elsewhere or are no longer true: they are not sent again, nor taken when they come late. */
  retract(messageIds: string[]): Promise<void>;
  /** The person wants to be told otherwise from now on. */
  reconsider(): Promise<void>;
  /** Those of the messages that are to be told: no client has acknowledged them, and nobody has read them. */
  listWaiting(messageIds: string[]): Promise<string[]>;
  /** Opens a socket, until its session ends, for a ticket that the Worker has verified; 401 when that was used or revoked. */
  connect(ticket: Ticket, upgrade: Request): Promise<Response>;
  /**
   * Closes the sockets of sessions that have ended, and every socket whose token is older than `tokenVersion` unless its
   * session goes on, and refuses their tickets from then on.
   */
  revoke(tokenVersion: number, sessions?: Sessions): Promise<void>;
  /** As `revoke`, for every token that there is; nothing else is kept, and that only until the last ticket has expired. */
  erase(): Promise<void>;
  /** Answers once the object's storage does. */
};

/** The only place that looks up a user's object. `userId` must come from a verified token or from D1. */
export function getUserChannel({ USER_CHANNEL }: Pick<Env, 'USER_CHANNEL'>, userId: string): Channel {
  const stub = USER_CHANNEL.getByName(userId);
  return {
    deliver: (messages) => stub.deliver(messages),
    retract: (messageIds) => stub.retract(messageIds),
    reconsider: () => stub.reconsider(),
    listWaiting: (messageIds) => stub.listWaiting(messageIds),
    revoke: (tokenVersion, sessions) => stub.revoke(tokenVersion, sessions),
    erase: () => stub.erase(),
    connect({ userId: _, ...ticket }, upgrade) {
      // An upgrade cannot travel over RPC, so the ticket rides in the address of a request that only we can make.
      const query = new URLSearchParams(Object.entries(ticket).map(([name, value]) => [name, `${value}`]));
      return stub.fetch(new Request(`https://user-channel/?${query}`, upgrade));
    },
  };
}
