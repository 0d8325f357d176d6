import type { Context } from 'hono';
import type { Language } from '#contract/language.ts';
import type { Db } from '#worker/db/client.ts';
import type { Config, Env } from '#worker/env.ts';
import type { SessionViewer } from '#worker/identity/viewer.ts';

export type AppEnv = {
  Bindings: Env;
  Variables: { requestId: string; config: Config; db: Db; language: Language; viewer: SessionViewer | null };
};
/** The environment of routes behind `requireViewer`. */
export type SignedInEnv = { Bindings: Env; Variables: AppEnv['Variables'] & { viewer: SessionViewer } };

/** The context of any route, signed in or not. It leaves out `set`, whose type differs between the two. */
export type AppContext = Omit<Context<AppEnv>, 'set'>;
