import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { ensureDevVars } from '#scripts/dev/options.ts';
import { readConfig } from '#worker/env.ts';

const folder = mkdtempSync(join(tmpdir(), 'dev-vars-'));
const path = join(folder, '.dev.vars');

beforeEach(() => rmSync(path, { force: true }));
afterAll(() => rmSync(folder, { recursive: true }));

const readVars = () => parseEnv(readFileSync(path, 'utf8'));

test('ensureDevVars writes new development secrets, with which the Worker runs and can send pushes', () => {
  ensureDevVars(folder);
  const { push, channels, keys } = readConfig(readVars());
  expect(Buffer.from(push.vapid?.publicKey ?? '', 'base64url')).toHaveLength(65);
  expect(push.vapid?.subject).toMatch(/^mailto:/);
  expect(channels.afterMs).toEqual({ push: 15_000, whatsapp: 600_000, email: 1_800_000 });
  expect(new Set([keys.code, keys.limit, keys.photo]).size).toBe(3);
});

test('ensureDevVars adds missing entries to the file of development secrets, and leaves existing entries unchanged', () => {
  writeFileSync(path, 'WHATSAPP_TRANSPORT=local\nCODE_KEY=ufunguo-wa-zamani-wenye-herufi-nyingi');
  ensureDevVars(folder);
  const first = readFileSync(path, 'utf8');
  expect(readVars()).toMatchObject({ CODE_KEY: 'ufunguo-wa-zamani-wenye-herufi-nyingi' });
  expect(readConfig(readVars()).push.vapid).not.toBeNull();
  ensureDevVars(folder);
  expect(readFileSync(path, 'utf8')).toBe(first);
});
