import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Post } from '#contract/posts.ts';
import { Banner } from '#web/ui/banner.tsx';
import { Button } from '#web/ui/button.tsx';
import { readCupboard } from './desk-api.ts';
import { DeskSheet } from './desk-sheet.tsx';
import { problemOf } from './problem-of.ts';

/** The list of what is open, for the wall of the cupboard; each time as it is then. */
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
      {reading.error && <Banner tone="error">{problemOf(reading.error, t)}</Banner>}
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
