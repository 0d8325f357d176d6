import type { LiveMessage } from '#contract/live-messages.ts';
import type { Env } from '#worker/env.ts';
import type { Ticket } from '#worker/identity/session-token.ts';

/** The methods of a user's Durable Object that the Worker may call. Every call is idempotent. */
export type UserChannelCalls = {
  /**
   * Stores the messages, and sends new ones to the user's open sockets. Replaces the text of a stored message that no
   * client has acknowledged.
   */
  deliver(messages: LiveMessage[]): Promise<void>;
  /**
   * Withdraws messages that the user has read, or that are no longer true. Ignores later deliveries of these messages.
   */
  retract(messageIds: string[]): Promise<void>;
  /**
   * Decides again when to send the messages that wait for the end of quiet hours. Call this after the person has
   * changed their notice settings.
   */
  reconsider(): Promise<void>;
  /** Returns which of the messages still wait: neither acknowledged by a client nor retracted. */
  listWaiting(messageIds: string[]): Promise<string[]>;
  /** Opens a socket for a verified ticket, until the session ends. Answers 401 if the ticket was used or revoked. */
  connect(ticket: Ticket, upgrade: Request): Promise<Response>;
  /** Closes the sockets of these sessions, and refuses their tickets from now on. */
  endSessions(sessionIds: string[]): Promise<void>;
  /** Closes every socket and deletes all data. From now on refuses the tickets that the user already has. */
  erase(): Promise<void>;
};

/** Looks up a user's Durable Object. No other code may do this. `userId` must come from a verified token or from D1. */
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
      // The upgrade to a WebSocket is sent as a request, because RPC cannot transfer it. The URL may contain the
      // ticket, because only the Worker can send requests to this object.
      const query = new URLSearchParams(Object.entries(ticket).map(([name, value]) => [name, `${value}`]));
      return stub.fetch(new Request(`https://user-channel/?${query}`, upgrade));
    },
  };
}
