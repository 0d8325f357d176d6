import { createServer } from 'node:net';
import { errorCode, UserError } from './user-error.ts';

/** @throws UserError when the port cannot be listened on. */
export function assertPortFree(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => {
      const reason = errorCode(error) === 'EADDRINUSE' ? 'is taken' : `cannot be used (${errorCode(error)})`;
      reject(new UserError(`Port ${port} ${reason}. Choose another: npm run dev -- --port ${port + 1}`));
    });
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve()));
  });
}
