import { expect, test } from '#tests/support/e2e-fixtures.ts';
import { newPost } from '#tests/support/e2e-people.ts';

// Two posts about the same kind of thing with few details: a possible match, which notifies nobody.
const LOST = { posted_by: 'owner', title: 'Nimepoteza ngoma', location: 'Ilala', description: '' } as const;
const FOUND = { posted_by: 'finder', title: 'Ngoma imeokotwa', location: 'Temeke', description: '' } as const;

test('a possible match is listed, and "Ni hiki" notifies the other person at once', async ({ person, openAs }) => {
  const [asha, john] = [await person(), await person()];
  // A new user, so that posts of earlier runs belong to somebody else.
  const title = `${FOUND.title} ${crypto.randomUUID().slice(0, 4)}`;
  const lost = await newPost(asha, LOST);
  await newPost(john, { ...FOUND, title });
  const finder = await openAs(john, '/view-posts', { language: 'sw' });
  const owner = await openAs(asha, `/posts/${lost.id}`, { language: 'sw' });

  const list = owner.getByRole('region', { name: 'Huenda ni hiki' });
  const card = list.getByRole('listitem').filter({ has: owner.getByRole('link', { name: title }) });
  await expect(card).toContainText('Huenda');
  await expect(card).toContainText('Ni kitu cha aina ileile: ngoma.');
  await expect(card.getByRole('link', { name: 'Piga simu' })).toHaveCount(0);
  await expect(finder.getByRole('dialog')).toHaveCount(0);

  await card.getByRole('button', { name: 'Ni hiki' }).click();
  await expect(card).toContainText('Tumemjulisha aliyetangaza.');
  await expect(card.getByRole('link', { name: 'Piga simu' })).toHaveAttribute('href', /^tel:/);

  const modal = finder.getByRole('dialog', { name: 'Kuna mtu anayedhani ni hiki' });
  await expect(modal).toContainText(LOST.title);
  await modal.getByRole('button', { name: 'Funga' }).click();
  await finder.goto('/notices');
  await expect(finder.getByText('Aliyetangaza anadhani')).toHaveCount(1);

  await card.getByRole('button', { name: 'Si hiki' }).click();
  await expect(list).toContainText('Sawa. Hatutakuonyesha tena kuwa tangazo hilo');
  await expect(card).toHaveCount(0);
  await owner.reload();
  await expect(owner.getByRole('heading', { name: 'Huenda ni hiki' })).toBeVisible();
  await expect(owner.getByRole('region', { name: 'Huenda ni hiki' })).toBeVisible();
  await expect(card).toHaveCount(0);
});
