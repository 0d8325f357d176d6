import type { FlatNamespace } from 'i18next';
import type { ComponentType } from 'react';
import { loadTextsInEachLanguage } from '#web/lib/i18n.ts';
import { paths } from '#web/lib/paths.ts';

type Screen = {
  path: string;
  /** Each screen is a separate chunk, so that visitors download only what they open. */
  load: () => Promise<ComponentType>;
  /** The namespaces of the screen's texts, besides `common`. */
  texts: readonly FlatNamespace[];
  /**
   * The text key of the page title. A screen may replace it by the title of its content, such as a post's title
   * (`useOwnTitle`).
   */
  title: string;
  /** Screens that need no server data do not load the code for requests. */
  needs: 'server data' | 'nothing';
  /** Whether the build prerenders the screen, for visitors who open this screen before any other. */
  prerendered: boolean;
  /** The API request that a visitor's browser starts while it still parses the page. */
  firstRequest?: `/${string}`;
};

/** Every screen. The routes, titles, prerendered pages and preloads come from this table. */
export const screens = [
  {
    path: paths.home,
    load: async () => (await import('#web/home/home-screen.tsx')).HomeScreen,
    texts: ['home'],
    title: 'home:title',
    needs: 'nothing',
    prerendered: true,
  },
  {
    path: paths.viewPosts,
    load: async () => (await import('#web/posts/view-posts-screen.tsx')).ViewPostsScreen,
    texts: ['communities', 'notices', 'posts'],
    title: 'posts:discoverTitle',
    needs: 'server data',
    prerendered: true,
    firstRequest: '/posts?limit=20',
  },
  {
    path: paths.login,
    load: async () => (await import('#web/accounts/login-screen.tsx')).LoginScreen,
    texts: ['accounts'],
    title: 'accounts:loginTitle',
    needs: 'server data',
    prerendered: true,
  },
  {
    path: paths.register,
    load: async () => (await import('#web/accounts/register-screen.tsx')).RegisterScreen,
    texts: ['accounts', 'fields', 'numbers'],
    title: 'accounts:registerTitle',
    needs: 'server data',
    prerendered: true,
  },
  {
    path: paths.forgotPassword,
    load: async () => (await import('#web/recovery/forgot-password-screen.tsx')).ForgotPasswordScreen,
    texts: ['fields', 'recovery'],
    title: 'recovery:forgotTitle',
    needs: 'server data',
    prerendered: true,
  },
  {
    path: paths.verifyCode,
    load: async () => (await import('#web/recovery/verify-code-screen.tsx')).VerifyCodeScreen,
    texts: ['fields', 'recovery'],
    title: 'recovery:verifyTitle',
    needs: 'server data',
    prerendered: false,
  },
  {
    path: paths.communities,
    load: async () => (await import('#web/communities/communities-screen.tsx')).CommunitiesScreen,
    texts: ['communities', 'fields'],
    title: 'communities:title',
    needs: 'server data',
    prerendered: true,
  },
  {
    path: paths.findCommunity,
    load: async () => (await import('#web/communities/find-screen.tsx')).FindScreen,
    texts: ['communities', 'community', 'fields'],
    title: 'communities:joinTitle',
    needs: 'server data',
    prerendered: false,
  },
  {
    path: paths.community,
    load: async () => (await import('#web/communities/community-screen.tsx')).CommunityScreen,
    texts: ['communities', 'community', 'notices', 'posts'],
    title: 'communities:title',
    needs: 'server data',
    prerendered: false,
  },
  {
    path: paths.desk,
    load: async () => (await import('#web/communities/desk-screen.tsx')).DeskScreen,
    texts: ['communities', 'community', 'fields', 'posts'],
    title: 'posts:createTitle',
    needs: 'server data',
    prerendered: false,
  },
  {
    path: paths.communityDetails,
    load: async () => (await import('#web/communities/community-details-screen.tsx')).CommunityDetailsScreen,
    texts: ['communities', 'community', 'fields', 'notices', 'posts'],
    title: 'communities:title',
    needs: 'server data',
    prerendered: false,
  },
  {
    path: paths.myPosts,
    load: async () => (await import('#web/posts/my-posts-screen.tsx')).MyPostsScreen,
    texts: ['ends', 'notices', 'posts'],
    title: 'posts:myPostsTitle',
    needs: 'server data',
    prerendered: false,
  },
  {
    path: paths.createPost,
    load: async () => (await import('#web/posts/create-post-screen.tsx')).CreatePostScreen,
    texts: ['communities', 'fields', 'notices', 'posts'],
    title: 'posts:createTitle',
    needs: 'server data',
    prerendered: false,
  },
  {
    path: paths.post,
    load: async () => (await import('#web/posts/post-screen.tsx')).PostScreen,
    texts: ['ends', 'notices', 'posts'],
    title: 'posts:postTitle',
    needs: 'server data',
    prerendered: false,
  },
  {
    path: paths.contact,
    load: async () => (await import('#web/posts/contact-screen.tsx')).ContactScreen,
    texts: ['notices', 'posts'],
    title: 'posts:contactPoster',
    needs: 'server data',
    prerendered: false,
  },
  {
    path: paths.poster,
    load: async () => {
      const [{ PosterScreen }] = await Promise.all([
        import('#web/posts/poster-screen.tsx'),
        loadTextsInEachLanguage('sharing'),
      ]);
      return PosterScreen;
    },
    texts: ['notices', 'posts', 'sharing'],
    title: 'posts:posterTitle',
    needs: 'server data',
    prerendered: false,
  },
  {
    path: paths.claimPost,
    load: async () => (await import('#web/claims/claim-form-screen.tsx')).ClaimFormScreen,
    texts: ['claims', 'fields', 'notices', 'posts'],
    title: 'posts:thisIsMine',
    needs: 'server data',
    prerendered: false,
  },
  {
    path: paths.claims,
    load: async () => (await import('#web/claims/claims-screen.tsx')).ClaimsScreen,
    texts: ['claims'],
    title: 'common:claims',
    needs: 'server data',
    prerendered: false,
  },
  {
    path: paths.claim,
    load: async () => (await import('#web/claims/claim-screen.tsx')).ClaimScreen,
    texts: ['claims', 'fields', 'notices', 'posts'],
    title: 'common:claims',
    needs: 'server data',
    prerendered: false,
  },
  {
    path: paths.notices,
    load: async () => (await import('#web/notices/notices-screen.tsx')).NoticesScreen,
    texts: ['notices'],
    title: 'notices:listTitle',
    needs: 'server data',
    prerendered: false,
  },
  {
    path: paths.account,
    load: async () => (await import('#web/accounts/account-screen.tsx')).AccountScreen,
    texts: ['accounts', 'fields', 'push', 'settings'],
    title: 'accounts:accountTitle',
    needs: 'server data',
    prerendered: false,
  },
  {
    path: paths.proveNumber,
    load: async () => (await import('#web/accounts/prove-number-screen.tsx')).ProveNumberScreen,
    texts: ['fields', 'numbers'],
    title: 'numbers:proveTitle',
    needs: 'server data',
    prerendered: false,
  },
  {
    path: paths.confirmEmail,
    load: async () => (await import('#web/accounts/confirm-email-screen.tsx')).ConfirmEmailScreen,
    texts: ['accounts', 'settings'],
    title: 'accounts:confirmEmailTitle',
    needs: 'server data',
    prerendered: false,
  },
  {
    path: paths.admin,
    load: async () => (await import('#web/admin/admin-gate.tsx')).AdminGate,
    texts: [],
    // Anyone but a platform admin sees "Page not found" at this address.
    title: 'common:notFoundTitle',
    needs: 'server data',
    prerendered: false,
  },
  {
    path: paths.privacy,
    load: async () => (await import('#web/home/legal-page.tsx')).PrivacyScreen,
    texts: ['legal'],
    title: 'common:privacy',
    needs: 'nothing',
    prerendered: true,
  },
  {
    path: paths.terms,
    load: async () => (await import('#web/home/legal-page.tsx')).TermsScreen,
    texts: ['legal'],
    title: 'common:terms',
    needs: 'nothing',
    prerendered: true,
  },
  {
    path: '*',
    load: async () => (await import('#web/ui/not-found-screen.tsx')).NotFoundScreen,
    texts: [],
    title: 'common:notFoundTitle',
    needs: 'nothing',
    prerendered: false,
  },
] as const satisfies Screen[];
