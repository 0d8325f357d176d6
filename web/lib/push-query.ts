import { queryOptions } from '@tanstack/react-query';
import { api } from './api-client.ts';
import { queryKeys } from './query-keys.ts';

/** What a browser subscribes with. It fails where the server sends no pushes, and then nobody speaks of them. */
export const pushKeyQuery = queryOptions({
  queryKey: queryKeys.pushKey,
  queryFn: ({ signal }) => api('GET /push/key', { signal }),
});

export const noticeSettingsQuery = queryOptions({
  queryKey: queryKeys.noticeSettings,
  queryFn: ({ signal }) => api('GET /me/notice-settings', { signal }),
});
