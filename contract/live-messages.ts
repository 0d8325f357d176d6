import * as z from 'zod/mini';
import type { MatchReason } from './matching.ts';

/** The subprotocol the socket answers with; the ticket rides beside it as `ticket.<ticket>`. */
export const LIVE_PROTOCOL = 'patikana.v1';
export const LIVE_TICKET_PREFIX = 'ticket.';

/** Close code: the token was revoked. A client does not reconnect. */
export const CLOSE_SIGNED_OUT = 4401;
/** Close code: the person has opened too many sockets since. A client reconnects only when its person comes back to it. */
export const CLOSE_CROWDED_OUT = 4429;

export type MatchingPostMessage = {
  type: 'matching_post';
  /** The notice's own id, to acknowledge. */
  id: string;
  post_id: string;
  your_post_id: string;
  title: string;
  location: string;
  owner_first_name: string;
  owner_last_name: string;
  phone_number: string;
  /** When the matching post was made; ISO 8601. */
  created_at: string;
  score: number;
  reasons: MatchReason[];
};

export type CommunityDecisionMessage = {
  type: 'community_approved' | 'community_rejected';
  id: string;
  community_id: string;
  name: string;
  /** Why it was rejected; null when it was approved. */
  reason: string | null;
  created_at: string;
};

/** What the server pushes. */
export type LiveMessage = MatchingPostMessage | CommunityDecisionMessage;

/** What a client may send, beside the text frame `ping`. */
export const clientMessageSchema = z.object({ type: z.literal('ack'), id: z.string().check(z.maxLength(64)) });
export type ClientMessage = z.infer<typeof clientMessageSchema>;

export type RealtimeTicket = { ticket: string; expires_in: number };
