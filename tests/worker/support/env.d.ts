import type { D1Migration } from 'cloudflare:test';
import type { Env } from '#worker/env.ts';

declare global {
  namespace Cloudflare {
    interface Env extends WorkerEnv {
      TEST_MIGRATIONS: D1Migration[];
      THOROUGH: 'yes' | 'no';
      FUZZ_SEED: string;
      FUZZ_REQUESTS: string;
    }
    interface GlobalProps {
      mainModule: typeof import('#worker/index.ts');
    }
  }
}

type WorkerEnv = Env;
