import { createBrowserRouter, type RouteObject } from 'react-router';
import { paths } from '#web/lib/paths.ts';
import { ErrorScreen } from './error-screen.tsx';
import { Layout } from './layout.tsx';

/** Every screen is a chunk of its own, so that a visitor pays for what they open. */
const screens: RouteObject[] = [
  { path: paths.home, lazy: async () => ({ Component: (await import('#web/home/home-screen.tsx')).HomeScreen }) },
  {
    path: paths.login,
    lazy: async () => ({ Component: (await import('#web/accounts/login-screen.tsx')).LoginScreen }),
  },
  {
    path: paths.register,
    lazy: async () => ({ Component: (await import('#web/accounts/register-screen.tsx')).RegisterScreen }),
  },
  {
    path: paths.viewPosts,
    lazy: async () => ({ Component: (await import('#web/posts/view-posts-screen.tsx')).ViewPostsScreen }),
  },
  {
    path: paths.myPosts,
    lazy: async () => ({ Component: (await import('#web/posts/my-posts-screen.tsx')).MyPostsScreen }),
  },
  {
    path: paths.createPost,
    lazy: async () => ({ Component: (await import('#web/posts/create-post-screen.tsx')).CreatePostScreen }),
  },
  { path: paths.post, lazy: async () => ({ Component: (await import('#web/posts/post-screen.tsx')).PostScreen }) },
  { path: '*', lazy: async () => ({ Component: (await import('#web/ui/not-found-screen.tsx')).NotFoundScreen }) },
];

export const routes: RouteObject[] = [
  { Component: Layout, ErrorBoundary: ErrorScreen, HydrateFallback: () => null, children: screens },
];

export const router = createBrowserRouter(routes);
