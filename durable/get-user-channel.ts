import type { LiveMessage } from '#contract/live-messages.ts';
import type { Env } from '#worker/env.ts';
import type { Ticket } from '#worker/identity/session-token.ts';

/** What the Worker may call on a user's object. Every call is idempotent. */
export type UserChannelCalls = {
  /** Stores the messages and sends the new ones to the user's open sockets; one that is still waiting is replaced. */
  deliver(messages: LiveMessage[]): Promise<void>;
  /** These were read elsewhere or are no longer true: they are not sent again, and not stored if they arrive late. */
  retract(messageIds: string[]): Promise<void>;
  /** The person has changed their notice settings. */
  reconsider(): Promise<void>;
  /** Which of the messages are still waiting: neither acknowledged by a client nor retracted. */
  listWaiting(messageIds: string[]): Promise<string[]>;
  /** Opens a socket for a ticket that the Worker has verified, until its session ends; 401 if it was used or revoked. */
  connect(ticket: Ticket, upgrade: Request): Promise<Response>;
  /** Closes the sockets of these sessions, and refuses their tickets from then on. */
  endSessions(sessionIds: string[]): Promise<void>;
  /** Closes every socket and deletes everything. That the person is erased is kept until the last ticket has expired. */
  erase(): Promise<void>;
};

/** The only place that looks up a user's object. `userId` must come from a verified token or from D1. */
export function getUserChannel({ USER_CHANNEL }: Pick<Env, 'USER_CHANNEL'>, userId: string): UserChannelCalls {
  const stub = USER_CHANNEL.getByName(userId);
  return {
    deliver: (messages) => stub.deliver(messages),
    retract: (messageIds) => stub.retract(messageIds),
    reconsider: () => stub.reconsider(),
    listWaiting: (messageIds) => stub.listWaiting(messageIds),
    endSessions: (sessionIds) => stub.endSessions(sessionIds),
    erase: () => stub.erase(),
    connect({ userId: _, ...ticket }, upgrade) {
      // RPC cannot carry an upgrade, so the ticket goes into the URL of a request that only the Worker can make.
      const query = new URLSearchParams(Object.entries(ticket).map(([name, value]) => [name, `${value}`]));
      return stub.fetch(new Request(`https://user-channel/?${query}`, upgrade));
    },
  };
}
