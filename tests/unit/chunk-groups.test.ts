import { expect, test } from 'vitest';
import { chunkGroups, toGroup } from '#scripts/build/chunk-groups.ts';

/** The group that a module goes to, as the bundler decides between those that take it. */
function groupOf(moduleId: string): string | undefined {
  const takers = chunkGroups().filter(({ test: takes }) => takes(moduleId));
  return takers.sort((one, other) => other.priority - one.priority)[0]?.name;
}

test.each([
  ['/home/x/patikana/web/app/router.tsx', 'app'],
  ['/home/x/patikana/web/lib/outbox.ts', 'app'],
  ['/home/x/patikana/node_modules/react-dom/cjs/react-dom.js', 'app'],
  ['/home/x/patikana/node_modules/@tanstack/query-core/build/query.js', 'data'],
  ['/home/x/patikana/web/app/query-provider.tsx', 'data'],
  ['/home/x/patikana/node_modules/zod/mini/index.js', 'forms'],
  ['/home/x/patikana/web/posts/post-card.tsx', 'posts'],
  ['/home/x/patikana/web/posts/post-form.tsx', undefined],
  ['/home/x/patikana/web/home/home-screen.tsx', undefined],
])('%s goes to %s', (moduleId, group) => expect(groupOf(moduleId)).toBe(group));

test('the build fails for a chunk that lists a module or a package that is not there', () => {
  const renamed = () => toGroup('app', 1, { packages: '', modules: { 'web/app': 'router rooter' } });
  expect(renamed).toThrow('web/app/rooter');
  expect(() => toGroup('app', 1, { packages: 'react no-such-package', modules: {} })).toThrow('no-such-package');
});
