import * as z from 'zod/mini';
import type { BodyOf, ENDPOINTS, EndpointName } from '#contract/endpoints.ts';
import { BODY_MAX_BYTES } from '#contract/limits.ts';
import type { Dice } from '#tests/support/dice.ts';
import { somePost } from '#tests/support/posts.ts';
import { PushService } from '#tests/support/push-service.ts';
import { ORIGIN, type Person } from './api.ts';
import { PUSH_ORIGIN } from './messages.ts';
import { SoftAuthenticator } from './moderation.ts';

/** The values that a request's body may need. */
export type Named = {
  person: Person;
  other: { id: string };
  /** A unique phone number. */
  number: string;
  accessCode: string;
  noticeId: string;
};

type NameWithBody = {
  [Name in EndpointName]: (typeof ENDPOINTS)[Name] extends { body: z.ZodMiniType } ? Name : never;
}[EndpointName];

const ASKED = { challenge: 'jana', origin: ORIGIN, rpId: 'localhost' };
const NEW_PASSWORD = 'matumaini ya kesho';
const CODE = '123456';

const reason = () => ({ reason: 'Haijulikani' });
const report = () => ({ reason: 'scam' as const, text: 'Anaomba pesa' });
const post = () => ({ ...somePost, kind: 'electronics' as const, identifiers: ['AB1234567'] });
const onlyNumber = ({ number }: Named) => ({ whatsapp_number: number });
const onlyPassword = ({ person }: Named) => ({ current_password: person.password });

/** A valid body for each endpoint. Add one for every new endpoint with a body. */
export const SAMPLE_BODIES: { [Name in NameWithBody]: (named: Named) => BodyOf<Name> } = {
  'POST /users': ({ number }) => ({
    username: 'Asha',
    email: `mtu${number.slice(1)}@example.com`,
    whatsapp_number: number,
    password: NEW_PASSWORD,
  }),
  'POST /login': ({ person }) => ({ username: person.email, password: person.password }),
  'PATCH /me': () => ({ username: 'Asha Mpya', language: 'sw' }),
  'PATCH /posts/:id/photos/:photoId': () => ({ alt: 'Simu nyeusi', position: 0 }),
  'POST /me/password': ({ person }) => ({ current_password: person.password, new_password: NEW_PASSWORD }),
  'POST /me/export': onlyPassword,
  'DELETE /me': onlyPassword,
  'POST /me/whatsapp-number': ({ number, person }) => ({
    whatsapp_number: number,
    current_password: person.password,
  }),
  'POST /me/whatsapp-number/confirm': () => ({ verification_code: CODE }),
  'POST /me/email': ({ number, person }) => ({
    email: `mpya${number.slice(1)}@example.com`,
    current_password: person.password,
  }),
  'POST /auth/confirm-email': () => ({ token: 'kiungo' }),
  'POST /auth/number-proofs': onlyNumber,
  'POST /auth/prove-number': onlyNumber,
  'POST /auth/request-password-reset': ({ person }) => ({ whatsapp_number: person.phone }),
  'POST /auth/verify-code': ({ person }) => ({ whatsapp_number: person.phone, verification_code: CODE }),
  'POST /auth/reset-password': ({ person }) => ({
    whatsapp_number: person.phone,
    verification_code: CODE,
    new_password: NEW_PASSWORD,
  }),
  'POST /posts': post,
  'PUT /posts/:id': post,
  'PUT /posts/:id/outcome': () => ({ outcome: 'other' }),
  'POST /posts/:id/reports': report,
  'POST /identifiers/lookup': () => ({ identifier: '356938035643809' }),
  'POST /posts/:id/claims': () => ({ answer: 'Ni changu, kina daftari', phone_number: null }),
  'POST /claims/:id/ask': () => ({ text: 'Rangi gani?' }),
  'POST /claims/:id/reply': () => ({ text: 'Buluu' }),
  'POST /claims/:id/hand-over': () => ({ code: CODE }),
  'POST /claims/:id/reports': report,
  'POST /communities': () => ({ name: 'Shule ya Mbezi', description: '' }),
  'PATCH /communities/:id': () => ({ description: 'Shule ya msingi', is_listed: false }),
  'PUT /communities/:id/members/:userId/role': () => ({ role: 'admin' }),
  'POST /communities/:id/join-requests': () => ({ message: 'Mwanangu anasoma hapa' }),
  'POST /communities/join': ({ accessCode }) => ({ access_code: accessCode }),
  'POST /communities/:id/posts/:postId/hide': reason,
  'POST /communities/:id/posts/:postId/restore': reason,
  'POST /notices/read': ({ noticeId }) => ({ ids: [noticeId], up_to: null }),
  'PUT /me/notice-settings': () => ({
    push: true,
    whatsapp: false,
    email: true,
    quiet_from: '21:00',
    quiet_to: '06:00',
  }),
  'PUT /push/subscriptions': ({ number }) => ({
    endpoint: `${PUSH_ORIGIN}/${number}`,
    keys: new PushService(PUSH_ORIGIN).subscribe().keys,
  }),
  'DELETE /push/subscriptions': () => ({ endpoint: `${PUSH_ORIGIN}/x` }),
  'POST /client-errors': () => ({ name: 'TypeError', frames: ['/assets/index-abc123.js:1:200'] }),
  'PUT /admin/switches': () => ({ registration: true, photos: true, claims: true, whatsapp_notices: true }),
  'POST /feedback': ({ person }) => ({ email: person.email, message: 'Asante' }),
  'POST /admin/communities/:id/approve': () => ({}),
  'POST /admin/communities/:id/reject': reason,
  'POST /admin/communities/:id/admins': ({ other }) => ({ user_id: other.id }),
  'POST /admin/communities/:id/suspend': reason,
  'POST /admin/communities/:id/reinstate': reason,
  'POST /admin/users/:id/suspend': reason,
  'POST /admin/users/:id/reinstate': reason,
  'POST /me/passkeys': ({ person }) => ({
    ...new SoftAuthenticator().register(ASKED),
    current_password: person.password,
  }),
  'POST /admin/step-up': () => new SoftAuthenticator().show(ASKED),
  'POST /admin/posts/:id/hide': reason,
  'POST /admin/posts/:id/restore': reason,
  'POST /dev/whatsapp-incoming': ({ number }) => ({ from: number, text: 'STOP' }),
};

/** @returns a body that the endpoint accepts; undefined if it has none. */
export function sampleBody(name: string, named: Named): unknown {
  const samples: Record<string, ((named: Named) => unknown) | undefined> = SAMPLE_BODIES;
  return samples[name]?.(named);
}

/** Texts that often break software. */
const HOSTILE_TEXTS = [
  '',
  ' ',
  '\u0000',
  '\u0007\u001b[31m',
  '\ud800',
  '\udfff\ud800',
  '\ufeff',
  '\u202eabc\u2066',
  'e\u0301'.repeat(40),
  '\u200d\u200b\u2060',
  'ﷺ'.repeat(60),
  '👩‍👩‍👧‍👦🇹🇿',
  'İSTANBUL ıı ß ﬀ',
  "'; drop table posts; --",
  '" or 1=1 --',
  '%_\\%',
  '* AND NEAR("a" OR',
  '"^title: {a b}',
  '<script>alert(1)</script>',
  '{{7*7}}#{7*7}',
  '../../../../etc/passwd',
  '\r\nSet-Cookie: a=b',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'NaN',
  '-1',
  '1e309',
  '9007199254740993',
  '0x1F',
  '٠٧١٢٣٤٥٦٧٨',
  '2026-02-30T25:61:00Z',
  '99999999999999.x',
  'a'.repeat(128),
  'ab '.repeat(700),
] as const;

/** Realistic texts. */
const USUAL_TEXTS = [
  'Simu ya Tecno nyeusi',
  'Found a black phone near Posta',
  'Kariakoo, Dar es Salaam',
  'Asha',
  'O’Neil-Mushi',
  '0712345678',
  '+255 712 345 678',
  'asha@example.com',
  'AB1234567',
  '2026-11-22T08:00:00.000Z',
  '21:00',
  '10',
  'mkoba 🎒',
] as const;

const HOSTILE_VALUES = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  Number.MAX_SAFE_INTEGER + 2,
  [],
  {},
  [[[[]]]],
  [null],
  { length: 5 },
  { toString: 'x' },
  { $ne: 1 },
] as const;

export function hostileText(dice: Dice): string {
  return dice.pick(HOSTILE_TEXTS);
}

function anyText(dice: Dice): string {
  return dice.isLucky(0.5) ? dice.pick(USUAL_TEXTS) : hostileText(dice);
}

export function hostileValue(dice: Dice): unknown {
  return dice.isLucky(0.5) ? hostileText(dice) : dice.pick(HOSTILE_VALUES);
}

type Shape = z.core.JSONSchema._JSONSchema;
type ObjectShape = z.core.JSONSchema.JSONSchema;

const shapes = new WeakMap<z.ZodMiniType, ObjectShape>();
const ITEMS_MAX = 4;
const LONGEST_TEXT = 4_000;
const LONGEST_OF_POST = 2_000;

/**
 * Returns the JSON Schema of a schema's input. JSON Schema cannot express every check, so the result also accepts some
 * values that the schema refuses.
 */
function shapeOf(schema: z.ZodMiniType): ObjectShape {
  const known = shapes.get(schema);
  if (known) return known;
  const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  shapes.set(schema, shape);
  return shape;
}

/** The fields of an object's schema. */
export function fieldsOf(schema: z.ZodMiniType | undefined): [name: string, shape: Shape][] {
  return schema ? Object.entries(shapeOf(schema).properties ?? {}) : [];
}

/**
 * The text fields with their maximum lengths. A field without a maximum in its schema gets the maximum of a post's
 * description.
 */
export function textFieldsOf(schema: z.ZodMiniType | undefined): { name: string; longest: number }[] {
  return fieldsOf(schema).flatMap(([name, shape]) => {
    const longest = longestText(shape);
    return longest === null ? [] : [{ name, longest }];
  });
}

function longestText(shape: Shape): number | null {
  if (typeof shape === 'boolean' || shape.enum || shape.const !== undefined) return null;
  const choices = shape.anyOf ?? shape.oneOf ?? shape.allOf;
  if (choices) return choices.map(longestText).find((length) => length !== null) ?? null;
  if (shape.type !== undefined && shape.type !== 'string') return null;
  return shape.maxLength ?? LONGEST_OF_POST;
}

/** A value that the schema accepts or almost accepts: at a limit, beyond it, or in another format. */
export function valueFrom(shape: Shape, dice: Dice): unknown {
  if (typeof shape === 'boolean' || dice.isLucky(0.1)) return hostileValue(dice);
  if (shape.const !== undefined) return shape.const;
  if (shape.enum) return dice.pick(shape.enum);
  const choices = shape.anyOf ?? shape.oneOf ?? shape.allOf;
  if (choices) return valueFrom(dice.pick(choices), dice);
  const type = Array.isArray(shape.type) ? dice.pick(shape.type) : shape.type;
  if (type === 'string') return textFrom(shape, dice);
  if (type === 'number' || type === 'integer') return numberFrom(shape, dice);
  if (type === 'boolean') return dice.isLucky(0.5);
  if (type === 'null') return null;
  if (type === 'array') return listFrom(shape, dice);
  if (type === 'object') return objectFrom(shape, dice);
  return dice.isLucky(0.7) ? anyText(dice) : hostileValue(dice);
}

function textFrom({ minLength = 0, maxLength = 200 }: ObjectShape, dice: Dice): string {
  if (dice.isLucky(0.5)) return anyText(dice);
  const length = dice.pick([minLength - 1, minLength, maxLength, maxLength + 1]);
  return dice.pick(['a', 'Ö', '👜', ' ', '7']).repeat(Math.min(Math.max(length, 0), LONGEST_TEXT));
}

function numberFrom({ minimum = 0, maximum = 1_000 }: ObjectShape, dice: Dice): number {
  return dice.pick([minimum, maximum, minimum - 1, maximum + 1, minimum + 0.5]);
}

function listFrom({ items, maxItems = ITEMS_MAX }: ObjectShape, dice: Dice): unknown[] {
  const length = dice.pick([0, 1, 2, Math.min(maxItems, 100), Math.min(maxItems, 100) + 1]);
  const item = Array.isArray(items) ? items[0] : items;
  return Array.from({ length }, () => valueFrom(item ?? {}, dice));
}

function objectFrom({ properties = {}, required = [] }: ObjectShape, dice: Dice): Record<string, unknown> {
  const kept = Object.entries(properties).filter(([name]) => dice.isLucky(required.includes(name) ? 0.95 : 0.5));
  return Object.fromEntries(kept.map(([name, shape]) => [name, valueFrom(shape, dice)]));
}

type Fields = Record<string, unknown>;

/** The sample with one or two fields replaced, removed or added. */
export function nearlyValid(sample: Fields, schema: z.ZodMiniType | undefined, dice: Dice): Fields {
  const body = { ...sample };
  const fields = fieldsOf(schema);
  for (let changes = 1 + dice.below(2); changes > 0; changes--) {
    if (fields.length === 0 || dice.isLucky(0.1)) {
      body[hostileText(dice)] = hostileValue(dice);
      continue;
    }
    const [name, shape] = dice.pick(fields);
    if (dice.isLucky(0.15)) delete body[name];
    else body[name] = valueFrom(shape, dice);
  }
  return body;
}

/** The bytes of a JSON body, valid or not. */
export function hostileBody(sample: Fields, dice: Dice): string | Uint8Array<ArrayBuffer> {
  const text = JSON.stringify(sample);
  const [name = 'x'] = Object.keys(sample);
  return dice.pick<() => string | Uint8Array<ArrayBuffer>>([
    () => '',
    () => text.slice(0, dice.below(text.length)),
    () => text.replace('{', `{${JSON.stringify(name)}:${JSON.stringify(hostileValue(dice))},`),
    () => text.replace('{', '{"__proto__":{"is_platform_admin":true},"constructor":{"prototype":{}},'),
    () => `\ufeff${text}`,
    () => JSON.stringify(hostileValue(dice)),
    () => JSON.stringify([sample]),
    () => '[1e400,-0,"\\ud800"]',
    () => '['.repeat(6_000),
    () => `${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`,
    () => new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0xc0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
    () => text.padEnd(BODY_MAX_BYTES, ' '),
    () => JSON.stringify({ ...sample, [name]: 'x'.repeat(BODY_MAX_BYTES + 1) }),
  ])();
}
