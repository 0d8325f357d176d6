/** Every text by namespace, from the English files: an unknown key is an error of the compiler. */
type Texts = {
  accounts: typeof import('#web/locales/en/accounts.json');
  admin: typeof import('#web/locales/en/admin.json');
  claims: typeof import('#web/locales/en/claims.json');
  common: typeof import('#web/locales/en/common.json');
  communities: typeof import('#web/locales/en/communities.json');
  community: typeof import('#web/locales/en/community.json');
  ends: typeof import('#web/locales/en/ends.json');
  fields: typeof import('#contract/messages/en.ts').fieldMessages;
  home: typeof import('#web/locales/en/home.json');
  legal: typeof import('#web/locales/en/legal.json');
  notices: typeof import('#web/locales/en/notices.json');
  numbers: typeof import('#web/locales/en/numbers.json');
  photos: typeof import('#web/locales/en/photos.json');
  posts: typeof import('#web/locales/en/posts.json');
  push: typeof import('#web/locales/en/push.json');
  recovery: typeof import('#web/locales/en/recovery.json');
  settings: typeof import('#web/locales/en/settings.json');
  sharing: typeof import('#web/locales/en/sharing.json');
};

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: Texts;
    interpolationPrefix: '{';
    interpolationSuffix: '}';
  }
}

export {};
