import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, test } from 'vitest';
import { cardSpecimens } from '#web/app/card-specimens.tsx';
import { changeLanguage } from '#web/lib/i18n.ts';
import { queryClient } from '#web/lib/query-client.ts';

beforeEach(() => changeLanguage('en'));

test('the build sees the styles of a card with all that it can have, and of both ways to its author', () => {
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={['/view-posts']}>{cardSpecimens}</MemoryRouter>
    </QueryClientProvider>,
  );
  const [lost, found, returned, ...more] = screen.getAllByRole('article');
  const facts =
    /MkobaOwnerNeema MushiLocationKariakooIt is now at: Kituo cha polisiPosted.+agoPosted for somebody elseMweusi/;
  expect(lost).toHaveTextContent(facts);
  expect(lost).toHaveTextContent(/^Lost/);
  expect(lost).toHaveTextContent(/Log in to view contact$/);
  expect(found).toHaveTextContent(facts);
  expect(found).toHaveTextContent(/^Found/);
  expect(found).toHaveTextContent(/This is mine$/);
  expect(returned).toHaveTextContent(/^Found and returned/);
  const addresses = screen.getAllByRole('link', { name: 'Mkoba' }).map((link) => link.getAttribute('href'));
  expect(addresses).toEqual(['/posts/lost', '/posts/found', '/posts/returned']);
  expect(more).toEqual([]);
});
