import { expect, test } from 'vitest';
import { nameDevice } from '#worker/devices/device-rules.ts';

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36';

test.each([
  ['Chrome, Android', `Mozilla/5.0 (Linux; Android 10; K) ${CHROME}`],
  ['Samsung Internet, Android', `Mozilla/5.0 (Linux; Android 10; K) SamsungBrowser/28.0 ${CHROME}`],
  ['Opera, Android', `Mozilla/5.0 (Linux; Android 10; K) ${CHROME} OPR/93.0`],
  ['Edge, Windows', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Edg/141.0`],
  ['Edge, Android', `Mozilla/5.0 (Linux; Android 10; K) ${CHROME} EdgA/141.0`],
  ['Edge, iPhone', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) EdgiOS/141.0 Mobile/15E148 Safari/604.1'],
  ['Opera, Windows', 'Opera/9.80 (Windows NT 6.1; U; en) Presto/2.12 Version/12.18'],
  ['UC Browser, Android', `Mozilla/5.0 (Linux; U; Android 12; en) UCBrowser/13.4 ${CHROME}`],
  ['Firefox, iPad', 'Mozilla/5.0 (iPad; CPU OS 18_6 like Mac OS X) FxiOS/144.0 Mobile/15E148 Safari/604.1'],
  ['Firefox, Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0'],
  ['Safari, iPhone', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) Version/18.6 Mobile/15E148 Safari/604.1'],
  ['Chrome, iPhone', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) CriOS/141.0 Mobile/15E148 Safari/604.1'],
  ['Safari, macOS', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.6 Safari/605.1.15'],
  ['Chrome, ChromeOS', `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${CHROME}`],
  ['Firefox, KaiOS', 'Mozilla/5.0 (Mobile; Nokia_8110; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5'],
  ['Android', 'okhttp/4.12 (Android 14)'],
  ['', 'curl/8.5.0'],
  ['', ''],
])('a device is called %s', (name, userAgent) => {
  expect(nameDevice(userAgent)).toBe(name);
});
