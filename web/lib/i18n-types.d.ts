import type admin from '#web/locales/en/admin.json';
import type claims from '#web/locales/en/claims.json';
import type community from '#web/locales/en/community.json';
import type ends from '#web/locales/en/ends.json';
import type filters from '#web/locales/en/filters.json';
import type { firstResources } from '#web/locales/en/first.ts';
import type { resources } from '#web/locales/en/index.ts';
import type photos from '#web/locales/en/photos.json';
import type push from '#web/locales/en/push.json';
import type settings from '#web/locales/en/settings.json';
import type sharing from '#web/locales/en/sharing.json';
import type things from '#web/locales/en/things.json';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    /** Those of few visits are loaded with what shows them. */
    resources: typeof firstResources &
      typeof resources & {
        admin: typeof admin;
        claims: typeof claims;
        community: typeof community;
        ends: typeof ends;
        filters: typeof filters;
        photos: typeof photos;
        push: typeof push;
        settings: typeof settings;
        sharing: typeof sharing;
        things: typeof things;
      };
    interpolationPrefix: '{';
    interpolationSuffix: '}';
  }
}
