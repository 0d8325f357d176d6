import * as z from 'zod/mini';
import type { EmailJob, NoticeWhatsappJob, PushJob, QueueJob, WhatsappJob } from '#contract/jobs.ts';
import {
  CLAIM_DECLINE_SECONDS,
  NOTICE_EMAIL_SECONDS,
  NOTICE_MESSAGES_A_DAY,
  NOTICE_PUSH_SECONDS,
  NOTICE_WHATSAPP_SECONDS,
  REPORTER_MIN_AGE_SECONDS,
} from '#contract/limits.ts';
import type { ChannelLimits } from '#durable/channel-rules.ts';
import type { UserChannel } from '#durable/user-channel.ts';
import { type SessionKeys, toSessionKeys } from '#worker/identity/session-token.ts';
import { DEFAULT_PUSH_SERVICES, toVapidKey, type VapidKey, vapidKeySchema } from '#worker/identity/vapid-key.ts';
import { maxInForce } from '#worker/limits/limits.ts';

/** The Worker's bindings, declared in wrangler.toml. Variables are read only through `readConfig`. */
export type Env = {
  ASSETS: Fetcher;
  DB: D1Database;
  PHOTOS: R2Bucket;
  BACKUPS: R2Bucket;
  IMAGES: ImagesBinding;
  USER_CHANNEL: DurableObjectNamespace<UserChannel>;
  WHATSAPP_QUEUE: Queue<QueueJob>;
  WHATSAPP_DEAD_QUEUE: Queue<WhatsappJob>;
  PUSH_QUEUE: Queue<PushJob>;
  PUSH_DEAD_QUEUE: Queue<PushJob>;
  NOTICE_WHATSAPP_QUEUE: Queue<NoticeWhatsappJob>;
  EMAIL: SendEmail;
  EMAIL_QUEUE: Queue<EmailJob>;
  EMAIL_DEAD_QUEUE: Queue<EmailJob>;
  /**
   * Limits of requests per minute. `56` and `48` stand for IPv6 networks of this prefix length
   * (worker/http/stop-floods.ts).
   */
  READS_OF_PERSON: RateLimit;
  WRITES_OF_PERSON: RateLimit;
  READS_OF_ADDRESS: RateLimit;
  READS_OF_56: RateLimit;
  READS_OF_48: RateLimit;
  WRITES_OF_ADDRESS: RateLimit;
  WRITES_OF_56: RateLimit;
  WRITES_OF_48: RateLimit;
  /** Limits the WebSocket tickets that each Cloudflare location issues per ten seconds (worker/realtime). */
  TICKETS: RateLimit;
  /** The deployed version; absent in tests. */
  VERSION?: WorkerVersionMetadata;
};

const secretSchema = z.string().check(z.minLength(32));

/** 5,000 image transformations a month are free, about 160 a day (docs/deploy.md). */
const FREE_TRANSFORMATIONS_A_DAY = 160;

const secondsSchema = z.optional(z.coerce.number().check(z.nonnegative()));

const configSchema = z.object({
  APP_ORIGIN: z.optional(z.url({ protocol: /^https?$/ })),
  JWT_SECRET: secretSchema,
  JWT_SECRET_PREVIOUS: z.optional(secretSchema),
  CODE_KEY: secretSchema,
  LIMIT_KEY: secretSchema,
  PHOTO_KEY: secretSchema,
  IDENTIFIER_KEY: secretSchema,
  WHATSAPP_TRANSPORT: z._default(z.enum(['cloud-api', 'local']), 'cloud-api'),
  WHATSAPP_API_BASE: z._default(z.url(), 'https://graph.facebook.com/v25.0'),
  WHATSAPP_PHONE_NUMBER_ID: z.optional(z.string()),
  WHATSAPP_ACCESS_TOKEN: z.optional(z.string()),
  WHATSAPP_APP_SECRET: z.optional(z.string()),
  WHATSAPP_VERIFY_TOKEN: z.optional(z.string()),
  WHATSAPP_DISPLAY_NUMBER: z.optional(z.string().check(z.regex(/^\+?\d{7,15}$/))),
  WHATSAPP_RESET_TEMPLATE: z._default(z.string(), 'verification_code'),
  WHATSAPP_DECISION_TEMPLATE: z.optional(z.string()),
  // How many different people Meta allows a new phone number to write to per day.
  WHATSAPP_DAILY_RECIPIENTS: z._default(z.coerce.number().check(z.int(), z.positive()), 250),
  WHATSAPP_MATCH_TEMPLATE: z.optional(z.string()),
  // The limit of image transformations per day; by default FREE_TRANSFORMATIONS_A_DAY. The minimum is what one upload
  // may need (photos/breaker.ts).
  PHOTO_TRANSFORMATIONS_A_DAY: z.optional(z.coerce.number().check(z.int(), z.gte(8))),
  EMAIL_FROM: z.optional(z.email()),
  FEEDBACK_FORM_URL: z.optional(z.url()),
  VAPID_PRIVATE_KEY: z.optional(vapidKeySchema),
  // The URL or e-mail address at which push services can contact us (RFC 8292 §2.1).
  VAPID_SUBJECT: z.optional(z.string().check(z.regex(/^(mailto:|https:\/\/)\S+$/))),
  PUSH_SERVICES: z.optional(z.string()),
  NOTICE_PUSH_SECONDS: secondsSchema,
  NOTICE_WHATSAPP_SECONDS: secondsSchema,
  NOTICE_EMAIL_SECONDS: secondsSchema,
  ADMIN_STEP_UP: z._default(z.enum(['on', 'off']), 'on'),
  RP_ID: z.optional(z.string()),
  RATE_LIMITS: z.optional(z.string()),
  REPORTER_MIN_AGE_SECONDS: secondsSchema,
  CLAIM_DECLINE_SECONDS: secondsSchema,
});

export type Config = {
  /** The app's origin, for canonical URLs and links that leave the app. If null, the request's origin is used. */
  appOrigin: string | null;
  /** One secret per purpose, so that each can be replaced separately. */
  keys: {
    session: SessionKeys;
    /** The secret for verification codes, links in e-mails, and digests of phone numbers to which codes are sent. */
    code: string;
    /**
     * The secret for rate counters, for device cookies, and for digests of barred e-mail addresses and phone numbers
     * (limits/bars.ts).
     */
    limit: string;
    photo: string;
    /** The secret for digests of identifiers, and of request bodies, which may contain an identifier. */
    identifier: string;
  };
  whatsapp: {
    transport: 'cloud-api' | 'local';
    apiBase: string;
    phoneNumberId: string | null;
    accessToken: string | null;
    appSecret: string | null;
    verifyToken: string | null;
    /** Our own phone number, to which people write, digits only; null if we cannot receive messages. */
    displayNumber: string | null;
    resetTemplate: string;
    /** The template of the message about the decision on a new community; null if none is set up. */
    decisionTemplate: string | null;
    /**
     * The template of the message about a match; null if no such messages are sent, for example without the
     * secret that verifies a person's STOP message.
     */
    matchTemplate: string | null;
    dailyRecipients: number;
  };
  photos: {
    /** How many image transformations are allowed per day. When they are used up, photos are switched off. */
    transformationsADay: number;
  };
  email: {
    /** The sender's address; null if no e-mail is sent. */
    from: string | null;
    /** Whether e-mails are stored, for a developer to list, and not sent. */
    isLocal: boolean;
    isAvailable: boolean;
  };
  push: {
    /** The key that signs Web Push requests; null if no pushes are sent. */
    vapid: VapidKey | null;
    /** Hosts of push services; `*.` stands for one or more DNS labels. */
    services: string[];
    /** Also allows a test push service on this machine. */
    isStandInAllowed: boolean;
  };
  channels: ChannelLimits;
  feedbackFormUrl: string | null;
  passkeys: {
    /** Whether platform admins need a passkey to change anything. */
    areNeeded: boolean;
    /** The domain to which passkeys belong. If null, the request's domain is used. */
    relyingPartyId: string | null;
  };
  areRateLimitsOn: boolean;
  reporterMinAgeSeconds: number;
  claimDeclineSeconds: number;
};

/** A variable is missing or invalid. The message contains the variable's name, never its value. */
export class ConfigError extends Error {}

const configs = new WeakMap<object, Config>();

/**
 * Parses the variables once per isolate. Empty variables count as missing: with an empty secret the webhook would
 * accept anybody's signature as Meta's.
 * @throws ConfigError that names every missing or invalid variable.
 */
export function readConfig(env: object): Config {
  const known = configs.get(env);
  if (known) return known;
  const parsed = configSchema.safeParse(Object.fromEntries(Object.entries(env).filter(([, value]) => value !== '')));
  if (!parsed.success) {
    const names = [...new Set(parsed.error.issues.map((issue) => issue.path.join('.')))];
    throw new ConfigError(`These variables are missing or wrong: ${names.join(', ')}`);
  }
  const config = toConfig(parsed.data);
  configs.set(env, config);
  return config;
}

/**
 * Whether WhatsApp messages are printed and not sent, as on a developer's machine. Unlike `readConfig`, needs no other
 * variables.
 */
export function isLocalTransport(env: object): boolean {
  return 'WHATSAPP_TRANSPORT' in env && env.WHATSAPP_TRANSPORT === 'local';
}

type Vars = z.infer<typeof configSchema>;

function toConfig(vars: Vars): Config {
  const isLocal = vars.WHATSAPP_TRANSPORT === 'local';
  if (!isLocal && !(vars.WHATSAPP_PHONE_NUMBER_ID && vars.WHATSAPP_ACCESS_TOKEN)) {
    throw new ConfigError(
      'These variables are missing: WHATSAPP_PHONE_NUMBER_ID, WHATSAPP_ACCESS_TOKEN (or WHATSAPP_TRANSPORT=local)',
    );
  }
  // Limits can be switched off only for load tests against a local Worker.
  const areRateLimitsOn = !(isLocal && vars.RATE_LIMITS === 'off');
  return {
    appOrigin: vars.APP_ORIGIN === undefined ? null : new URL(vars.APP_ORIGIN).origin,
    keys: {
      session: toSessionKeys(vars.JWT_SECRET, vars.JWT_SECRET_PREVIOUS ?? null),
      code: vars.CODE_KEY,
      limit: vars.LIMIT_KEY,
      photo: vars.PHOTO_KEY,
      identifier: vars.IDENTIFIER_KEY,
    },
    whatsapp: toWhatsappConfig(vars, isLocal),
    photos: {
      transformationsADay:
        vars.PHOTO_TRANSFORMATIONS_A_DAY ?? (isLocal ? Number.MAX_SAFE_INTEGER : FREE_TRANSFORMATIONS_A_DAY),
    },
    email: { from: vars.EMAIL_FROM ?? null, isLocal, isAvailable: isLocal || vars.EMAIL_FROM !== undefined },
    push: {
      vapid: toVapidKey(vars.VAPID_PRIVATE_KEY ?? null, vars.VAPID_SUBJECT ?? null),
      services: vars.PUSH_SERVICES?.split(/[\s,]+/).filter((host) => host !== '') ?? DEFAULT_PUSH_SERVICES,
      isStandInAllowed: isLocal,
    },
    channels: {
      afterMs: toTurns(vars, isLocal),
      messagesADay: maxInForce({ areRateLimitsOn }, NOTICE_MESSAGES_A_DAY),
    },
    feedbackFormUrl: vars.FEEDBACK_FORM_URL ?? null,
    passkeys: {
      areNeeded: !(isLocal && vars.ADMIN_STEP_UP === 'off'),
      // An IP address such as 127.0.0.1 is not a valid relying party id (WebAuthn §5.1.2).
      relyingPartyId: vars.RP_ID ?? (isLocal ? 'localhost' : null),
    },
    areRateLimitsOn,
    reporterMinAgeSeconds: secondsOf(vars.REPORTER_MIN_AGE_SECONDS, REPORTER_MIN_AGE_SECONDS, isLocal),
    claimDeclineSeconds: secondsOf(vars.CLAIM_DECLINE_SECONDS, CLAIM_DECLINE_SECONDS, isLocal),
  };
}

/** Returns `own` if it is set on a developer's machine, where tests need shorter times; otherwise returns `usual`. */
function secondsOf(own: number | undefined, usual: number, isLocal: boolean): number {
  return (isLocal ? own : undefined) ?? usual;
}

function toWhatsappConfig(vars: Vars, isLocal: boolean): Config['whatsapp'] {
  return {
    transport: vars.WHATSAPP_TRANSPORT,
    apiBase: vars.WHATSAPP_API_BASE.replace(/\/+$/, ''),
    phoneNumberId: vars.WHATSAPP_PHONE_NUMBER_ID ?? null,
    accessToken: vars.WHATSAPP_ACCESS_TOKEN ?? null,
    appSecret: vars.WHATSAPP_APP_SECRET ?? null,
    verifyToken: vars.WHATSAPP_VERIFY_TOKEN ?? null,
    displayNumber: vars.WHATSAPP_DISPLAY_NUMBER?.replace('+', '') ?? null,
    resetTemplate: vars.WHATSAPP_RESET_TEMPLATE,
    decisionTemplate: vars.WHATSAPP_DECISION_TEMPLATE ?? null,
    matchTemplate: toMatchTemplate(vars, isLocal),
    dailyRecipients: vars.WHATSAPP_DAILY_RECIPIENTS,
  };
}

function toTurns(vars: Vars, isLocal: boolean): ChannelLimits['afterMs'] {
  return {
    push: 1000 * secondsOf(vars.NOTICE_PUSH_SECONDS, NOTICE_PUSH_SECONDS, isLocal),
    whatsapp: 1000 * secondsOf(vars.NOTICE_WHATSAPP_SECONDS, NOTICE_WHATSAPP_SECONDS, isLocal),
    email: 1000 * secondsOf(vars.NOTICE_EMAIL_SECONDS, NOTICE_EMAIL_SECONDS, isLocal),
  };
}

/**
 * Returns null without the secret that verifies Meta's signature of a person's STOP message. A developer's machine
 * accepts a STOP without a signature, and has a default template.
 */
function toMatchTemplate(vars: Vars, isLocal: boolean): string | null {
  if (isLocal) return vars.WHATSAPP_MATCH_TEMPLATE ?? 'match_notice';
  return vars.WHATSAPP_APP_SECRET === undefined ? null : (vars.WHATSAPP_MATCH_TEMPLATE ?? null);
}
