/** The opened sockets, oldest first. */
export const sockets: HeldSocket[] = [];

/** jsdom's own socket needs a server: the test controls the other end of this one. */
export class HeldSocket extends EventTarget {
  static readonly OPEN = 1;
  readyState = 0;
  sent: string[] = [];
  isClosed = false;

  readonly address: string;
  readonly protocols: string[];

  constructor(address: string, protocols: string[]) {
    super();
    this.address = address;
    this.protocols = protocols;
    sockets.push(this);
  }

  open(): void {
    this.readyState = HeldSocket.OPEN;
    this.dispatchEvent(new Event('open'));
  }

  send(frame: string): void {
    this.sent.push(frame);
  }

  close(): void {
    this.isClosed = true;
    this.readyState = 3;
  }

  hear(data: unknown): void {
    this.dispatchEvent(Object.assign(new Event('message'), { data }));
  }

  /** The server or the network closes the socket. */
  lose(code = 1006): void {
    this.readyState = 3;
    this.dispatchEvent(Object.assign(new Event('close'), { code }));
  }
}
