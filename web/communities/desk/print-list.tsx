import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Post } from '#contract/posts.ts';
import { failureText } from '#web/api/client.ts';
import { thingNumber } from '#web/communities/thing-number.ts';
import { formatDate } from '#web/lib/format.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { PrintSheet } from '#web/ui/print-sheet.tsx';
import { readCupboard } from './desk.ts';

/**
 * Prints the list of open posts, to hang on the door of the office's lost-property cupboard. Refetches the posts before
 * each print.
 */
export function PrintList({ code }: { code: string }) {
  const { t } = useTranslation('community');
  const [posts, setPosts] = useState<Post[] | null>(null);
  const reading = useMutation({ mutationFn: () => readCupboard(code), onSuccess: setPosts });
  useEffect(() => {
    if (posts && posts.length > 0) window.print();
  }, [posts]);
  return (
    <section className="grid justify-items-start gap-3" aria-labelledby="print-list">
      <h2 id="print-list">{t('desk.listTitle')}</h2>
      <p className="text-muted">{t('desk.listText')}</p>
      {reading.error && <Banner tone="error">{failureText(reading.error, t('failed'), t('noAnswer'))}</Banner>}
      <p role="status">
        {posts && (posts.length === 0 ? t('desk.nothingOpen') : t('desk.listed', { count: posts.length }))}
      </p>
      <Button look="secondary" icon="print" isBusy={reading.isPending} onClick={() => reading.mutate()}>
        {t('desk.print')}
      </Button>
      {posts && posts.length > 0 && <DeskSheet posts={posts} />}
    </section>
  );
}

/** The printed list: each thing with the number on its label and a box to tick, without contact details. */
function DeskSheet({ posts }: { posts: Post[] }) {
  const { t } = useTranslation('community');
  const community = posts[0]?.community_name;
  return (
    <PrintSheet className="desk-sheet">
      <h1 dir="auto">{community}</h1>
      <p>{t('desk.sheetTitle', { date: formatDate(new Date().toISOString()) })}</p>
      <table>
        <thead>
          <tr>
            <th>{t('desk.number')}</th>
            <th>{t('desk.thing')}</th>
            <th>{t('desk.where')}</th>
            <th>{t('desk.since')}</th>
            <th>{t('desk.returned')}</th>
          </tr>
        </thead>
        <tbody>
          {posts.map((post) => (
            <tr key={post.id}>
              <td className="desk-sheet-number">{thingNumber(post.id)}</td>
              <td dir="auto">
                <strong>{post.title}</strong>
                <br />
                {`${post.owner_first_name} ${post.owner_last_name}`.trim()}
              </td>
              <td dir="auto">{post.kept_at ?? post.location}</td>
              <td>{formatDate(post.created_at)}</td>
              <td>
                <span className="desk-sheet-box" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </PrintSheet>
  );
}
