import { expect, test } from 'vitest';
import { networksOf } from '#worker/limits/networks.ts';

const nested = (of64: string, of56: string, of48: string) => [`${of64}::/64`, `${of56}::/56`, `${of48}::/48`];

test.each([
  ['2c0f:fe38:2101:7ab:a:b:c:d', nested('2c0f:fe38:2101:7ab', '2c0f:fe38:2101:700', '2c0f:fe38:2101')],
  ['2C0F:FE38:2101:07FF::1', nested('2c0f:fe38:2101:7ff', '2c0f:fe38:2101:700', '2c0f:fe38:2101')],
  ['2c0f:fe38:2101:7::', nested('2c0f:fe38:2101:7', '2c0f:fe38:2101:0', '2c0f:fe38:2101')],
  ['2c0f:fe38::1', nested('2c0f:fe38:0:0', '2c0f:fe38:0:0', '2c0f:fe38:0')],
  ['2c0f:fe38:0:0:1::', nested('2c0f:fe38:0:0', '2c0f:fe38:0:0', '2c0f:fe38:0')],
  ['2c0f::7:a:b:c:d:e', nested('2c0f:0:7:a', '2c0f:0:7:0', '2c0f:0:7')],
  ['::1', nested('0:0:0:0', '0:0:0:0', '0:0:0')],
])('the IPv6 address %s counts for its /64, its /56 and its /48', (address, networks) =>
  expect(networksOf(address)).toEqual(networks),
);

test.each(['196.41.0.7', '::ffff:196.41.0.7', 'unknown'])('the address %s counts alone', (address) =>
  expect(networksOf(address)).toEqual([address]),
);
