import type { RouteObject } from 'react-router';
import { loadScreenTexts } from '#web/lib/i18n.ts';
import { paths } from '#web/lib/paths.ts';
import { Layout } from './layout.tsx';
import { lazyScreen } from './lazy-screen.tsx';

/** A screen is a chunk of its own, so that a visitor pays for what they open. */
const dataScreens: RouteObject[] = [
  {
    path: paths.login,
    Component: lazyScreen(async () => (await import('#web/accounts/login-screen.tsx')).LoginScreen),
  },
  {
    path: paths.register,
    Component: lazyScreen(async () => (await import('#web/accounts/register-screen.tsx')).RegisterScreen),
  },
  {
    path: paths.forgotPassword,
    Component: lazyScreen(async () => (await import('#web/recovery/forgot-password-screen.tsx')).ForgotPasswordScreen),
  },
  {
    path: paths.verifyCode,
    Component: lazyScreen(async () => (await import('#web/recovery/verify-code-screen.tsx')).VerifyCodeScreen),
  },
  {
    path: paths.viewPosts,
    Component: lazyScreen(async () => (await import('#web/posts/view-posts-screen.tsx')).ViewPostsScreen),
  },
  {
    path: paths.myPosts,
    Component: lazyScreen(async () => (await import('#web/posts/my-posts-screen.tsx')).MyPostsScreen),
  },
  {
    path: paths.createPost,
    Component: lazyScreen(async () => (await import('#web/posts/create-post-screen.tsx')).CreatePostScreen),
  },
  {
    path: paths.communities,
    Component: lazyScreen(async () => (await import('#web/communities/communities-screen.tsx')).CommunitiesScreen),
  },
  {
    path: paths.communityDetails,
    Component: lazyScreen(
      async () => (await import('#web/communities/community-details-screen.tsx')).CommunityDetailsScreen,
    ),
  },
  {
    path: paths.notices,
    Component: lazyScreen(async () => (await import('#web/notices/notices-screen.tsx')).NoticesScreen),
  },
  { path: paths.admin, Component: lazyScreen(async () => (await import('#web/admin/admin-gate.tsx')).AdminGate) },
  { path: paths.post, Component: lazyScreen(async () => (await import('#web/posts/post-screen.tsx')).PostScreen) },
  {
    path: paths.contact,
    Component: lazyScreen(async () => (await import('#web/posts/contact-screen.tsx')).ContactScreen),
  },
];

/** What needs no server data: its visitors need not pay for the code that asks for it. */
const plainScreens: RouteObject[] = [
  { path: paths.home, Component: lazyScreen(async () => (await import('#web/home/home-screen.tsx')).HomeScreen) },
  { path: '*', Component: lazyScreen(async () => (await import('#web/ui/not-found-screen.tsx')).NotFoundScreen) },
];

const QueryProvider = lazyScreen(async () => {
  const [{ QueryProvider: Provider }] = await Promise.all([import('./query-provider.tsx'), loadScreenTexts()]);
  return Provider;
});

/**
 * The map of the web app. Nothing in it belongs to the router's data mode, whose loaders this app has no use for:
 * TanStack Query loads, and the code of that mode would cost every visitor 16 kB.
 */
export const routes: RouteObject[] = [
  { Component: Layout, children: [...plainScreens, { Component: QueryProvider, children: dataScreens }] },
];
