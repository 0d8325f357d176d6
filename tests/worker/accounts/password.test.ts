import { env } from 'cloudflare:workers';
import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import type { Device, Session } from '#contract/accounts.ts';
import type { ErrorBody } from '#contract/error-codes.ts';
import { CLOSE_SIGNED_OUT } from '#contract/live-messages.ts';
import { PushService } from '#tests/support/push-service.ts';
import { call, newPerson, ORIGIN, type Person, signIn, somePost } from '#tests/worker/support/api.ts';
import { PUSH_ORIGIN, put, subscriptionsOf } from '#tests/worker/support/messages.ts';
import { connect } from '#tests/worker/support/notices.ts';
import { cookiesOf, guessAtOnce, knownDevice, times, WRONG } from '#tests/worker/support/people.ts';
import { assertCurrentPassword, deviceTurns, recordSignIn, strangerTurns } from '#worker/accounts/sign-in.ts';
import { openDb } from '#worker/db/client.ts';
import { readConfig } from '#worker/env.ts';
import { answerError } from '#worker/http/answer-error.ts';
import { type AppEnv, withLanguage } from '#worker/http/context.ts';
import { withConfiguration } from '#worker/http/middleware.ts';
import { requireViewer, withViewer } from '#worker/http/viewer.ts';
import { allowanceOf } from '#worker/limits/allowance.ts';

describe('own password', () => {
  const NEXT = 'matumaini ya kesho kutwa';

  async function signedIn(person: Person): Promise<Person> {
    const session = await (await signIn(person.email, person.password)).json<Session>();
    return { ...person, token: session.access_token };
  }

  const change = (person: Person, current: string, next: string) =>
    call('POST', '/api/me/password', { current_password: current, new_password: next }, person);
  const statusOf = async (person: Person) => (await call('GET', '/api/me', undefined, person)).status;

  test('a new password signs out all other sessions', async () => {
    const person = await newPerson();
    const [phone, other] = [await signedIn(person), await signedIn(person)];
    const [own, theirs] = [await connect(phone), await connect(other)];
    const stranger = await signedIn(await newPerson());
    await put(new PushService(PUSH_ORIGIN).subscribe(), other);
    const browser = new PushService(PUSH_ORIGIN).subscribe();
    await put(browser, phone);
    const answer = await change(phone, person.password, NEXT);
    expect(answer.status).toBe(200);
    const session = await answer.json<Session>();
    expect(session).toMatchObject({ token_type: 'bearer', user_id: person.id });
    await expect.poll(() => theirs.closed?.code).toBe(CLOSE_SIGNED_OUT);
    expect(own.closed).toBeNull();
    expect([await statusOf(phone), await statusOf(other), await statusOf(person)]).toEqual([401, 401, 401]);
    const after = { ...person, token: session.access_token };
    expect(await statusOf(after)).toBe(200);
    const devices = await (await call('GET', '/api/me/devices', undefined, after)).json<Device[]>();
    expect(devices.map(({ is_this }) => is_this)).toEqual([true]);
    expect((await subscriptionsOf(person)).map(({ endpoint }) => endpoint)).toEqual([browser.endpoint]);
    expect(await statusOf(stranger)).toBe(200);
    expect((await signIn(person.email, person.password)).status).toBe(401);
    expect((await signIn(person.email, NEXT)).status).toBe(200);
  });

  test('the device that set a new password still counts as a known device (signed in before)', async () => {
    const person = await newPerson();
    const answer = await change(person, person.password, NEXT);
    const Cookie = cookiesOf(answer);
    expect(await statusOf({ ...person, token: (await answer.json<Session>()).access_token })).toBe(200);
    // Uses up the sign-in attempts of all devices that the account does not know.
    for (let guess = 0; guess < 20; guess++) await signIn(person.email, WRONG);
    expect((await signIn(person.email, NEXT)).status).toBe(429);
    expect((await signIn(person.email, NEXT, { Cookie })).status).toBe(200);
  });

  test.each([
    ['wrong_password', 403, WRONG, NEXT],
    ['validation_failed', 422, 'tumaini la kesho', 'fupi'],
    ['validation_failed', 422, 'tumaini la kesho', 'password1'],
    ['validation_failed', 422, '', NEXT],
  ])('a password change refused with %s changes nothing', async (code, status, current, next) => {
    const person = await newPerson();
    const answer = await change(person, current, next);
    expect([answer.status, (await answer.json<ErrorBody>()).code]).toEqual([status, code]);
    expect(await statusOf(person)).toBe(200);
    expect((await signIn(person.email, person.password)).status).toBe(200);
  });

  test('a new password that is too common is refused with an error for the field new_password', async () => {
    const person = await newPerson();
    expect(await (await change(person, person.password, 'password1')).json()).toMatchObject({
      errors: [{ field: 'new_password', message: expect.stringContaining('too common') }],
    });
  });

  test('after ten wrong current passwords even the right password is refused for a while', async () => {
    const person = await newPerson();
    for (let guess = 0; guess < 10; guess++) expect((await change(person, WRONG, NEXT)).status).toBe(403);
    const refused = await change(person, person.password, NEXT);
    expect([refused.status, Number(refused.headers.get('Retry-After'))]).toEqual([429, expect.any(Number)]);
    expect(await statusOf(person)).toBe(200);
  });

  test('“sign out everywhere” needs no password, revokes all session tokens, and gives the caller a new one', async () => {
    const person = await newPerson();
    const [phone, other] = [await signedIn(person), await signedIn(person)];
    const theirs = await connect(other);
    const answer = await call('POST', '/api/me/sign-out-everywhere', undefined, phone);
    const { access_token: token } = await answer.json<Session>();
    await expect.poll(() => theirs.closed?.code).toBe(CLOSE_SIGNED_OUT);
    expect([await statusOf(phone), await statusOf(other), await statusOf(person)]).toEqual([401, 401, 401]);
    expect(await statusOf({ ...person, token })).toBe(200);
    expect((await signIn(person.email, person.password)).status).toBe(200);
  });

  test('signing out everywhere sets no device cookie on a device without one, and does not reset the count of wrong passwords', async () => {
    const person = await newPerson();
    let thief = person;
    for (let guess = 0; guess < 10; guess++) {
      expect((await change(thief, WRONG, NEXT)).status).toBe(403);
      const answer = await call('POST', '/api/me/sign-out-everywhere', undefined, thief);
      expect(answer.headers.getSetCookie()).toEqual([]);
      thief = { ...thief, token: (await answer.json<Session>()).access_token };
    }
    expect((await change(thief, WRONG, NEXT)).status).toBe(429);
  });

  test('after “sign out everywhere”, a device is still a known device of the account, and keeps its count of wrong passwords', async () => {
    const person = await newPerson();
    const session = await signIn(person.email, person.password);
    const Cookie = cookiesOf(session);
    const device = { token: (await session.json<Session>()).access_token, headers: { Cookie } };
    expect(await guessAtOnce(person.email, 10, { Cookie })).toEqual(times(10, 401));
    const after = cookiesOf(await call('POST', '/api/me/sign-out-everywhere', undefined, device));
    const idIn = (cookie: string) => /\.([0-9a-f-]{36})\./.exec(cookie)?.[1];
    expect([idIn(after), after === Cookie]).toEqual([idIn(Cookie), false]);
    expect((await signIn(person.email, person.password, { Cookie: after })).status).toBe(429);
    expect((await signIn(person.email, person.password)).status).toBe(200);
  });

  test('if two sessions of a person concurrently sign out all other sessions, one request succeeds and one gets 401', async () => {
    const person = await newPerson();
    const both = [await signedIn(person), await signedIn(person)];
    const answers = await Promise.all(
      both.map((device) => call('POST', '/api/me/sign-out-everywhere', undefined, device)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  /** An example of a route that requires the current password. */
  const asking = new Hono<AppEnv>()
    .use(withLanguage)
    .use(withConfiguration)
    .use(withViewer)
    .post('/', requireViewer, async (c) => {
      await assertCurrentPassword(c, c.var.viewer, await c.req.text());
      return c.json({ success: true });
    });
  asking.onError(answerError);

  async function give({ token }: Person, password: string): Promise<string> {
    const headers = { Authorization: `Bearer ${token}` };
    const answer = await asking.fetch(new Request(`${ORIGIN}/`, { method: 'POST', headers, body: password }), env);
    return answer.status === 200 ? 'right' : `${answer.status} ${(await answer.json<ErrorBody>()).code}`;
  }

  test('a route that requires the current password accepts the right password, and refuses a wrong password with 403', async () => {
    const person = await newPerson();
    expect(await give(person, person.password)).toBe('right');
    expect(await give(person, 'si hili nenosiri')).toBe('403 wrong_password');
  });

  test('wrong current passwords are counted, and after ten of them even the right password is refused for a while', async () => {
    const [person, other] = [await newPerson(), await newPerson()];
    const guesses = await Promise.all(Array.from({ length: 12 }, () => give(person, 'si hili nenosiri')));
    expect(guesses.filter((guess) => guess === '403 wrong_password')).toHaveLength(10);
    expect(guesses.filter((guess) => guess === '429 too_many_requests')).toHaveLength(2);
    expect(await give(person, person.password)).toBe('429 too_many_requests');
    expect(await give(other, other.password)).toBe('right');
  });

  test('the right current password resets the count of wrong ones', async () => {
    const person = await newPerson();
    for (let round = 0; round < 2; round++) {
      for (let guess = 0; guess < 9; guess++) expect(await give(person, 'si hili nenosiri')).toBe('403 wrong_password');
      expect(await give(person, person.password)).toBe('right');
    }
  });

  test('a request with a revoked session does not reveal whether a password is right', async () => {
    const person = await newPerson();
    await env.DB.prepare('update users set token_version = 2 where id = ?').bind(person.id).run();
    expect(await give(person, person.password)).toBe('401 unauthorized');
  });
});

describe('the limit on password guesses', () => {
  const STRANGER = { 'CF-Connecting-IP': '196.41.99.1' };
  const OWNER = { 'CF-Connecting-IP': '196.41.99.2' };

  function passPauses() {
    return env.DB.prepare("update rate_counters set window_ends_at = 1 where subject like 'sign_in_pause:%'").run();
  }

  async function statusOf({ email, password }: Person, headers: Record<string, string>): Promise<number> {
    return (await signIn(email, password, headers)).status;
  }

  test('after twenty wrong passwords for an account in an hour, all unknown devices together get one attempt in 30 seconds', async () => {
    const person = await newPerson();
    expect(await guessAtOnce(person.email, 25, STRANGER)).toEqual([...times(20, 401), ...times(5, 429)]);
    for (let round = 0; round < 3; round++) {
      const refused = await signIn(person.email, person.password, STRANGER);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
      expect(Number(refused.headers.get('Retry-After'))).toBeLessThanOrEqual(30);
      await passPauses();
      expect(await guessAtOnce(person.email, 5, STRANGER)).toEqual([401, ...times(4, 429)]);
    }
    await passPauses();
    expect(await statusOf(person, STRANGER)).toBe(200);
  });

  test('a guess that the server refuses to check (429) does not lengthen the time until the next allowed guess', async () => {
    const { email } = await newPerson();
    await guessAtOnce(email, 20, STRANGER);
    await env.DB.prepare(
      "update rate_counters set window_ends_at = window_ends_at - 20000 where subject like 'sign_in_pause:%'",
    ).run();
    for (let round = 0; round < 3; round++) {
      expect(Number((await signIn(email, WRONG, STRANGER)).headers.get('Retry-After'))).toBeLessThanOrEqual(10);
    }
  });

  test('while strangers guess a person’s password, the person can sign in on a new device at another IP address', async () => {
    const person = await newPerson();
    await guessAtOnce(person.email, 30, STRANGER);
    expect(await statusOf(person, OWNER)).toBe(200);
    expect((await signIn(person.email, WRONG, OWNER)).status).toBe(401);
    expect(await statusOf(person, OWNER)).toBe(200);
  });

  test('a known device (signed in before) can sign in despite strangers’ guesses, even at the strangers’ IP address', async () => {
    const person = await newPerson();
    const device = await knownDevice(person);
    await guessAtOnce(person.email, 30, STRANGER);
    expect(await guessAtOnce(person.email, 9, { ...STRANGER, ...device })).toEqual(times(9, 401));
    expect(await statusOf(person, { ...STRANGER, ...device })).toBe(200);
  });

  test('a flood of sign-ins from one IP address locks out unknown devices there, but not a device on which the account signed in before', async () => {
    const person = await newPerson();
    const device = await knownDevice(person);
    const flooded = { 'CF-Connecting-IP': '196.41.99.3' };
    await signIn('mgeni@example.com', WRONG, flooded);
    await env.DB.prepare('update rate_counters set count = 600 where subject = ?')
      .bind(allowanceOf(readConfig(env), 'sign_in_address', '196.41.99.3').key)
      .run();
    expect(await statusOf(person, flooded)).toBe(429);
    expect(await statusOf(person, { ...flooded, ...device })).toBe(200);
  });

  test('a device on which one account signed in before counts as a stranger’s device for other accounts', async () => {
    const [thief, person] = [await newPerson(), await newPerson()];
    const flooded = { 'CF-Connecting-IP': '196.41.99.4', ...(await knownDevice(thief)) };
    await signIn(person.email, WRONG, flooded);
    const counter = allowanceOf(readConfig(env), 'sign_in_address', '196.41.99.4').key;
    const counted = env.DB.prepare(
      'update rate_counters set count = 600 where subject = ? and count = 1 returning count',
    );
    expect(await counted.bind(counter).first('count')).toBe(600);
    expect(await statusOf(person, flooded)).toBe(429);
    expect(await statusOf(thief, flooded)).toBe(200);
  });

  test('a sign-in that renews the old password’s hash does not overwrite a new password set meanwhile', async () => {
    const person = await newPerson();
    const hashOf = () => env.DB.prepare('select password_hash from users where id = ?').bind(person.id).first();
    const before = await hashOf();
    const turns = strangerTurns(readConfig(env), person.email, STRANGER['CF-Connecting-IP']);
    const renewal = { of: 'scrypt of the old password', hash: 'scrypt of the old password, with new parameters' };
    await recordSignIn(openDb(env), person.id, { turns, isKnown: false, renewal, device: null }, Date.now());
    expect(await hashOf()).toEqual(before);
  });

  test('a stolen device cookie allows at most ten guesses in fifteen minutes, and the user can still sign in on other devices', async () => {
    const person = await newPerson();
    const [stolen, own] = [await knownDevice(person), await knownDevice(person)];
    expect(await guessAtOnce(person.email, 15, stolen)).toEqual([...times(10, 401), ...times(5, 429)]);
    const refused = await signIn(person.email, person.password, stolen);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(14 * 60);
    expect(Number(refused.headers.get('Retry-After'))).toBeLessThanOrEqual(15 * 60);
    expect(await statusOf(person, own)).toBe(200);
    expect(await statusOf(person, OWNER)).toBe(200);
    await env.DB.prepare("update rate_counters set window_ends_at = 1 where subject like 'sign_in_device:%'").run();
    expect(await statusOf(person, stolen)).toBe(200);
  });

  test('does not refuse sign-ins with the right password that arrive at the same time, on a known device or on new devices', async () => {
    const person = await newPerson();
    const device = await knownDevice(person);
    const signInAtOnce = (headers: Record<string, string>) =>
      Promise.all(Array.from({ length: 3 }, () => statusOf(person, headers)));
    // These guesses leave the known device one attempt, and all new devices together none. `passPauses` gives all new
    // devices together one attempt again.
    expect(await guessAtOnce(person.email, 9, device)).toEqual(times(9, 401));
    await guessAtOnce(person.email, 20, STRANGER);
    await passPauses();
    for (const headers of [device, STRANGER]) expect(await signInAtOnce(headers)).toEqual(times(3, 200));
  });

  test('a right password that arrives after too many wrong ones is refused', async () => {
    const person = await newPerson();
    const device = await knownDevice(person);
    const [deviceId = ''] = /[0-9a-f-]{36}(?=\.)/.exec(device.Cookie) ?? [];
    const known = { userId: person.id, tokenVersion: 1, id: deviceId };
    await guessAtOnce(person.email, 20, STRANGER);
    await guessAtOnce(person.email, 10, device);
    for (const guesser of [
      { turns: strangerTurns(readConfig(env), person.email, STRANGER['CF-Connecting-IP']), isKnown: false },
      { turns: deviceTurns(readConfig(env), known), isKnown: true },
    ]) {
      const signedIn = { id: crypto.randomUUID(), userId: person.id, name: 'Simu' };
      const right = { ...guesser, renewal: null, device: signedIn };
      const recorded = recordSignIn(openDb(env), person.id, right, Date.now());
      await expect(recorded).rejects.toMatchObject({ code: 'too_many_requests' });
      const kept = env.DB.prepare('select count(*) as n from devices where id = ?').bind(signedIn.id);
      expect(await kept.first('n')).toBe(0);
    }
    expect(await statusOf(person, device)).toBe(429);
  });

  test('a device is not recognised as known if its cookie is forged, altered or issued for another account', async () => {
    const [person, thief] = [await newPerson(), await newPerson()];
    const mine = await knownDevice(person);
    const [name = '', value = ''] = mine.Cookie.split('=');
    const [version = '', id = '', signature = ''] = value.split('.');
    const theirs = (await knownDevice(thief)).Cookie.split('=')[1];
    await guessAtOnce(person.email, 20, STRANGER);
    for (const forged of [
      `${name}=${theirs}`,
      `${name}=${version}.${crypto.randomUUID()}.${signature}`,
      `${name}=${Number(version) + 1}.${id}.${signature}`,
      `${name}=${version}.${id}.`,
      `${name}=`,
      `device_${thief.id}=${value}`,
    ])
      expect(await statusOf(person, { ...STRANGER, Cookie: forged }), forged).toBe(429);
    expect(await statusOf(person, { ...STRANGER, ...mine })).toBe(200);
  });

  test('after a password reset, devices that signed in before the reset count as strangers’ devices', async () => {
    const person = await newPerson();
    const before = await knownDevice(person);
    await env.DB.prepare('update users set token_version = 2 where id = ?').bind(person.id).run();
    await guessAtOnce(person.email, 20, STRANGER);
    expect(await statusOf(person, { ...STRANGER, ...before })).toBe(429);
    const after = await knownDevice(person);
    expect(await statusOf(person, { ...STRANGER, ...after })).toBe(200);
  });

  test('scripts cannot read a device cookie, and browsers send it only to API routes of the same site over HTTPS', async () => {
    const person = await newPerson();
    const [cookie = ''] = (await signIn(person.email, person.password)).headers.getSetCookie();
    const [pair = '', ...attributes] = cookie.split('; ');
    expect(pair).toMatch(new RegExp(`^device_${person.id}=1\\.[0-9a-f-]{36}\\.[\\w-]{43}$`));
    expect(attributes.sort()).toEqual(['HttpOnly', 'Max-Age=34560000', 'Path=/api', 'SameSite=Strict', 'Secure']);
    expect((await signIn(person.email, WRONG)).headers.getSetCookie()).toEqual([]);
  });

  test('a device stores cookies of only the last eight accounts that signed in on it; signing in again keeps the account’s cookie', async () => {
    const people = await Promise.all(Array.from({ length: 10 }, () => newPerson()));
    const jar = new Map<string, string>();
    const sendJar = () => [...jar].map((pair) => pair.join('=')).join('; ');
    for (const { email, password } of people) {
      const answer = await signIn(email, password, { Cookie: sendJar() });
      for (const cookie of answer.headers.getSetCookie()) {
        const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split('=');
        if (cookie.includes('Max-Age=0')) jar.delete(name);
        else jar.set(name, value);
      }
    }
    // The cookies of the accounts that signed in first have been removed.
    expect([...jar.keys()]).toEqual(people.slice(2).map(({ id }) => `device_${id}`));
    const last = people[9] as Person;
    const again = await signIn(last.email, last.password, { Cookie: sendJar() });
    expect(cookiesOf(again)).toBe(`device_${last.id}=${jar.get(`device_${last.id}`)}`);
  });

  test('a device cookie alone does not authenticate a request', async () => {
    const person = await newPerson();
    const device = await knownDevice(person);
    expect((await signIn(person.email, WRONG, device)).status).toBe(401);
    for (const path of ['/api/me', '/api/posts/by-owner', '/api/notices'])
      expect([path, (await call('GET', path, undefined, { headers: device })).status]).toEqual([path, 401]);
    expect((await call('POST', '/api/posts', somePost, { headers: device })).status).toBe(401);
  });

  const from = (address: string) => ({ 'CF-Connecting-IP': address });

  /** Sends this many wrong passwords at once. @returns how many were compared with the right password. */
  async function countGuesses(email: string, count: number, address: string): Promise<number> {
    return (await guessAtOnce(email, count, from(address))).filter((status) => status === 401).length;
  }

  test('a password can be guessed 20 times an hour from a /64 network, 40 from a /56, 80 from a /48, and 150 from all networks together', async () => {
    const person = await newPerson();
    const device = await knownDevice(person);
    const guessed = [];
    for (const [address, count] of [
      ['2001:db8:7:100::1', 11],
      ['2001:db8:7:100::2', 11],
      ['2001:db8:7:1ff::1', 22],
      ['2001:db8:7:120::1', 2],
      ['2001:db8:7:200::1', 22],
      ['2001:db8:7:201::1', 22],
      ['2001:db8:7:ffff::1', 2],
      ['2001:db8:8::1', 22],
      ['196.41.60.1', 22],
      ['196.41.60.2', 22],
      ['196.41.60.3', 22],
      ['196.41.60.4', 2],
    ] as const)
      guessed.push(await countGuesses(person.email, count, address));
    expect(guessed).toEqual([11, 9, 20, 0, 20, 20, 0, 20, 20, 20, 10, 0]);
    const refused = await signIn(person.email, person.password, from('196.41.60.5'));
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('Retry-After'))).toBeLessThanOrEqual(30);
    for (const known of [device, { ...from('2001:db8:7:100::1'), ...device }])
      expect((await signIn(person.email, person.password, known)).status).toBe(200);
    await env.DB.exec("update rate_counters set window_ends_at = 1 where subject like 'sign_in_pause:%'");
    expect(await countGuesses(person.email, 2, '196.41.60.6')).toBe(1);
    expect(await countGuesses(person.email, 2, '2001:db8:9::1')).toBe(0);
  }, 120_000);

  test('a sign-in with the right password resets the device’s count of failed sign-ins', async () => {
    const [email, password] = ['sahihi@example.com', 'tumaini la kesho'];
    // Registers through the API: the password hash is then up to date, so the sign-in does not renew it.
    await call('POST', '/api/users', { username: 'Sahihi', email, whatsapp_number: '+255799000201', password });
    const Cookie = cookiesOf(await signIn(email, password));
    expect(await guessAtOnce(email, 9, { Cookie })).toEqual(times(9, 401));
    expect((await signIn(email, password, { Cookie })).status).toBe(200);
    expect(await guessAtOnce(email, 2, { Cookie })).toEqual([401, 401]);
  });
});
