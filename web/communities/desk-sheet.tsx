import { useTranslation } from 'react-i18next';
import type { Post } from '#contract/posts.ts';
import { formatDate } from '#web/lib/format.ts';
import { thingNumber } from '#web/lib/thing-number.ts';
import { PrintSheet } from '#web/ui/print-sheet.tsx';

/** What is printed in the place of the page: each thing with the number on it, and a box to tick. Never how to reach anybody. */
export function DeskSheet({ posts }: { posts: Post[] }) {
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
