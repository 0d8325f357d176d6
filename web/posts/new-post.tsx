import { useLocation } from 'react-router';
import { paths } from '#web/lib/paths.ts';
import { EMPTY_POST } from './post-draft.ts';
import { PostForm } from './post-form.tsx';

/** The form of a new post, with what the way to it tells. */
export function NewPost() {
  return <PostForm postId={null} saved={{ ...EMPTY_POST, is_owner: useOwnerByWay() }} />;
}

/** The router's key of an address that the browser loaded. */
const LOADED_KEY = 'default';

/** Whether one comes as an owner or as a finder. The home page's links to the form are finders'. */
function useOwnerByWay(): boolean | null {
  const { key, state } = useLocation();
  // A link that is followed before the app is there loads the page, and brings no state.
  const isLoadedFromHome = key === LOADED_KEY && document.referrer === location.origin + paths.home;
  const postedBy: unknown = state?.posted_by ?? (isLoadedFromHome ? 'finder' : null);
  return postedBy === 'owner' ? true : postedBy === 'finder' ? false : null;
}
