/// <reference types="vite/types/importMeta.d.ts" />
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, expect, test } from 'vitest';
import { ENDPOINTS, type Endpoint } from '#contract/endpoints.ts';
import { PROOF_SECRET_HEADER } from '#contract/recovery.ts';
import { ORIGIN } from '#tests/worker/support/api.ts';
import {
  type Asker,
  accessCodeOf,
  makeTargets,
  newViewer,
  type TargetName,
  type Targets,
  VIEWERS,
  type ViewerName,
} from '#tests/worker/support/authorisation.ts';
import { newNumber } from '#tests/worker/support/people.ts';
import { picture } from '#tests/worker/support/posts.ts';
import { sampleBody } from '#tests/worker/support/sample-bodies.ts';
import { sampleOf } from '#tests/worker/support/test-run.ts';
import { app } from '#worker/app.ts';
import type { Env } from '#worker/env.ts';

const bindings = { ...env, ADMIN_STEP_UP: 'on', RATE_LIMITS: 'off' } as Env;
const [PAGE = ''] = Object.values(
  import.meta.glob<string>('/docs/security.md', { query: '?raw', import: 'default', eager: true }),
);
/** The page's expected responses of each route. Routes with equal responses share a row. */
const ROWS = [...PAGE.matchAll(/^\|((?:GET|POST|PUT|PATCH|DELETE) \/[^|]+)\|(.+)\|$/gm)].flatMap(
  ([, routes = '', cells = '']) => routes.split(', ').map((route) => [route, cells] as const),
);

/** The targets of a path: posts, communities and people can be hidden, a claim has two parties. */
function targetsOf(route: string): readonly TargetName[] {
  if (!route.includes(':')) return ['own'];
  if (/\/(posts|communities|users)\/:/.test(route)) return ['own', 'foreign', 'inside', 'hidden', 'absent'];
  return route.startsWith('/claims') ? ['own', 'claimed', 'foreign', 'absent'] : ['own', 'foreign', 'absent'];
}

/** The path with the target's ids. @throws for a parameter without a target. */
function fillPath(route: string, target: TargetName, targets: Targets): string {
  const segments = route.split('/');
  return segments
    .map((segment, index) => {
      if (!segment.startsWith(':')) return segment;
      const noun = segments[index - 1] ?? '';
      // A path inside a community names that community, or the viewer's own.
      const isPlace = noun === 'communities' && route.split(':').length > 2;
      const id =
        targets[isPlace && target !== 'own' && target !== 'absent' ? 'inside' : target][noun] ?? targets.absent[noun];
      if (id === undefined) throw new Error(`${segment} of ${route}: give it ids in support/authorisation/targets.ts`);
      return id;
    })
    .join('/');
}

type Sent = { body: unknown; token: string | undefined; proofSecret: string };

async function ask(name: string, path: string, { body, token, proofSecret }: Sent): Promise<number> {
  const [method = ''] = name.split(' ');
  const { isForm, fileTypes }: Endpoint = ENDPOINTS[name as keyof typeof ENDPOINTS];
  const ctx = createExecutionContext();
  const headers = {
    [PROOF_SECRET_HEADER]: proofSecret,
    ...(body !== undefined && !isForm && { 'Content-Type': fileTypes?.[0] ?? 'application/json' }),
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
  };
  const request = new Request(`${ORIGIN}/api${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: toSent(body, isForm) }),
  });
  const { status } = await app.fetch(request, bindings, ctx);
  await waitOnExecutionContext(ctx);
  return status;
}

function toSent(body: unknown, isForm = false): BodyInit {
  if (body instanceof Uint8Array) return body;
  return isForm ? new URLSearchParams(body as Record<string, string>) : JSON.stringify(body);
}

type Scene = Asker & { targets: Targets };
const ROLES: Partial<Record<ViewerName, 'admin' | 'member'>> = { 'community admin': 'admin', member: 'member' };

async function makeScene(viewer: ViewerName): Promise<Scene> {
  const asker = await newViewer(viewer);
  return { ...asker, targets: await makeTargets(asker.person, ROLES[viewer] ?? null) };
}

const readers = new Map<ViewerName, Promise<Scene>>();

/** A new target for each writing route; reading routes change nothing and share one. */
function sceneFor(name: string, viewer: ViewerName): Promise<Scene> {
  if (!name.startsWith('GET ')) return makeScene(viewer);
  const scene = readers.get(viewer) ?? makeScene(viewer);
  readers.set(viewer, scene);
  return scene;
}

/** The viewer's statuses at each target, as one cell: a single number if all are equal. */
async function cellOf(name: string, viewer: ViewerName): Promise<string> {
  const route = name.split(' ')[1] ?? '';
  const isFile = 'fileTypes' in ENDPOINTS[name as keyof typeof ENDPOINTS];
  const { person, tokens, targets } = await sceneFor(name, viewer);
  const statuses: (number | string)[] = [];
  // In reverse order, because an action on oneself may be the last possible one.
  for (const target of targetsOf(route).toReversed()) {
    const asked = new Set<number>();
    for (const token of tokens) {
      const body = isFile
        ? picture('grey.jpg')
        : sampleBody(name, {
            person,
            other: { id: targets.foreign.users ?? '' },
            number: newNumber(),
            accessCode: accessCodeOf(targets.inside.communities ?? ''),
            noticeId: targets[target].notices ?? '',
          });
      asked.add(await ask(name, fillPath(route, target, targets), { body, token, proofSecret: person.id }));
    }
    statuses.unshift([...asked].join('/'));
  }
  return new Set(statuses).size === 1 ? String(statuses[0]) : statuses.join('·');
}

async function cellsOf(name: string): Promise<string> {
  return (await Promise.all(VIEWERS.map((viewer) => cellOf(name, viewer)))).join('|');
}

// The queue's heartbeat comes once a minute with crons, but this file may take longer than the health check waits.
beforeEach(() => env.DB.prepare('update heartbeats set beat_at = ?').bind(Date.now()).run());

test('the table contains every route once, and no other', () => {
  expect(ROWS.map(([route]) => route).sort(), 'docs/security.md').toEqual(Object.keys(ENDPOINTS).sort());
  expect(PAGE).toContain(`|route|${VIEWERS.join('|')}|`);
});

test.each(sampleOf(Object.keys(ENDPOINTS), 10))(
  '%s responds to each caller as docs/security.md says',
  async (name) => {
    const cells = await cellsOf(name);
    console.info(`|${name}|${cells}|`);
    expect(cells, 'in docs/security.md').toBe(new Map(ROWS).get(name));
  },
  300_000,
);
