import type * as z from 'zod/mini';
import { BODY_MAX_BYTES } from '#contract/limits.ts';
import type { Dice } from '#tests/support/dice.ts';
import { fieldsOf, valueFrom } from './from-schema.ts';
import { hostileText, hostileValue } from './values.ts';

type Fields = Record<string, unknown>;

/** The sample with a field or two exchanged, left out or added. */
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

/** Bytes of which a body of JSON is made, or is not. */
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
