import { createHmac } from 'node:crypto';

/** A fault of the simulated Graph API. */
export type Fault =
  /** An error response of Meta, whose texts may repeat the request. */
  | { code: number; httpStatus: number }
  /** The response of a broken gateway: HTML without an error code. */
  | { html: number }
  /** The connection breaks before a response. */
  | 'drop'
  /** The message is accepted, but the response never comes. */
  | 'hang'
  /** The message is accepted, but the response contains no id. */
  | 'no_id';

/** A message as Meta receives it. In a plain text message `template` is `TEXT`, and `language` is empty. */
export type ReceivedMessage = { to: string; template: string; language: string; body: string[]; button: string | null };
export type GraphCall = {
  message: ReceivedMessage | null;
  fault: Fault | null;
  errorCode: number | null;
  wamid: string | null;
};

/** An approved template, with its number of parameters. An authentication template has one parameter and a button. */
export type GraphTemplate = { languages: string[]; parameters: number; hasButton: boolean };

export type GraphApiOptions = {
  phoneNumberId: string;
  accessToken: string;
  /** The approved templates by name. */
  templates: Record<string, GraphTemplate>;
};

class Refusal extends Error {
  readonly code: number;
  readonly httpStatus: number;

  constructor(code: number, httpStatus: number, message: string) {
    super(message);
    this.code = code;
    this.httpStatus = httpStatus;
  }
}

/**
 * A stand-in for Meta's Graph API: accepts template messages as documented, refuses others with the documented codes,
 * and simulates the faults that a test requests.
 */
export class GraphApi {
  /** Every call, in order. */
  readonly calls: GraphCall[] = [];
  readonly #options: GraphApiOptions;
  #faults: Fault[] = [];
  #messages = 0;

  constructor(options: GraphApiOptions) {
    this.#options = options;
  }

  /** The messages of all successful calls. */
  get accepted(): ReceivedMessage[] {
    return this.calls.flatMap(({ message, wamid }) => (message && wamid !== null ? [message] : []));
  }

  /** Makes the next calls fail with these faults, one each. Later calls get a normal response. */
  failNext(...faults: Fault[]): void {
    this.#faults.push(...faults);
  }

  /** The response to a call. Rejects if the connection breaks or no response comes. */
  async answer(request: Request): Promise<Response> {
    const fault = this.#faults.shift() ?? null;
    const text = await request.text();
    let message: ReceivedMessage | null = null;
    try {
      this.#checkRequest(request);
      message = readMessage(parseJson(text));
      if (fault === null || typeof fault === 'string') return await this.#accept(message, fault, request.signal);
      if ('html' in fault) return this.#answerHtml(message, fault);
      throw new Refusal(fault.code, fault.httpStatus, `(#${fault.code}) Refused: ${text}`);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.calls.push({ message, fault, errorCode: error.code, wamid: null });
      return Response.json(toErrorBody(error), { status: error.httpStatus });
    }
  }

  #checkRequest(request: Request): void {
    const { pathname } = new URL(request.url);
    if (request.headers.get('Authorization') !== `Bearer ${this.#options.accessToken}`)
      throw new Refusal(190, 401, 'Invalid OAuth access token - Cannot parse access token');
    if (request.method !== 'POST' || !pathname.endsWith(`/${this.#options.phoneNumberId}/messages`))
      throw new Refusal(100, 400, 'Unsupported post request. Object does not exist');
    if (request.headers.get('Content-Type')?.split(';')[0] !== 'application/json')
      throw new Refusal(100, 400, 'The parameter messaging_product is required.');
  }

  #checkTemplate({ template: name, language, to, body, button }: ReceivedMessage): void {
    if (name === TEXT) return;
    const template = this.#options.templates[name];
    if (!template?.languages.includes(language))
      throw new Refusal(132001, 404, `Template name does not exist in the translation: ${name} (${language}) ${to}`);
    if (body.length !== template.parameters || (button !== null) !== template.hasButton)
      throw new Refusal(132000, 400, `Number of parameters does not match: ${body.join()}`);
  }

  async #accept(message: ReceivedMessage, fault: 'drop' | 'hang' | 'no_id' | null, signal: AbortSignal) {
    this.#checkTemplate(message);
    if (fault === 'drop') {
      this.calls.push({ message, fault, errorCode: null, wamid: null });
      throw new TypeError('The connection was reset');
    }
    const wamid = `wamid.${message.to.slice(1)}.${++this.#messages}`;
    this.calls.push({ message, fault, errorCode: null, wamid });
    if (fault === 'hang') await untilAborted(signal);
    const contacts = [{ input: message.to, wa_id: message.to.slice(1) }];
    const messages = fault === 'no_id' ? [] : [{ id: wamid, message_status: 'accepted' }];
    return Response.json({ messaging_product: 'whatsapp', contacts, messages });
  }

  #answerHtml(message: ReceivedMessage, fault: { html: number }): Response {
    this.calls.push({ message, fault, errorCode: null, wamid: null });
    return new Response('<html>Sorry, something went wrong.</html>', { status: fault.html });
  }
}

/** A signed status webhook in Meta's format. */
export function composeReport(
  appSecret: string,
  statuses: { id: string; status: string; errors?: { code: number }[] }[],
): { body: string; signature: string } {
  return composeWebhook(appSecret, {
    statuses: statuses.map((status) => ({ timestamp: '1763683200', recipient_id: '255712345678', ...status })),
  });
}

/** A signed webhook in Meta's format. */
export function composeWebhook(appSecret: string, news: Record<string, unknown>): { body: string; signature: string } {
  const value = {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: '255700000000', phone_number_id: '1' },
    ...news,
  };
  // Writes a letter as an escape, as Meta writes non-ASCII characters. Re-encoded JSON lacks this escape, so a Worker
  // that checked the signature of re-encoded JSON would refuse the webhook.
  const body = JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: 'Jumuiya', changes: [{ value, field: 'messages' }] }],
  }).replace('Jumuiya', '\\u004aumuiya');
  return { body, signature: `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}` };
}

type Json = Record<string, unknown>;

/** The value of `ReceivedMessage.template` for a plain text message. */
const TEXT = 'text';

function readMessage(body: unknown): ReceivedMessage {
  return asObject(body, 'body').type === 'text' ? readTextMessage(asObject(body, 'body')) : readTemplateMessage(body);
}

function readTextMessage(message: Json): ReceivedMessage {
  const to = readRecipient(message);
  refuseOthers(message, ['messaging_product', 'recipient_type', 'to', 'type', 'text']);
  const text = asObject(message.text, 'text');
  refuseOthers(text, ['preview_url', 'body']);
  return { to, template: TEXT, language: '', body: [asText(text.body, 'text.body')], button: null };
}

function readRecipient(message: Json): string {
  requireEqual(message, 'messaging_product', 'whatsapp');
  if (message.recipient_type !== undefined) requireEqual(message, 'recipient_type', 'individual');
  const to = asText(message.to, 'to');
  // Meta would accept a number without a plus, but send the message to that number in our own country. This stand-in
  // refuses such a number, so that a test fails.
  if (!/^\+\d{7,15}$/.test(to)) throw new Refusal(131009, 400, `Parameter value is not valid: to ${to}`);
  return to;
}

function readTemplateMessage(body: unknown): ReceivedMessage {
  const message = asObject(body, 'body');
  const to = readRecipient(message);
  requireEqual(message, 'type', 'template');
  refuseOthers(message, ['messaging_product', 'recipient_type', 'to', 'type', 'template']);
  const template = asObject(message.template, 'template');
  refuseOthers(template, ['name', 'language', 'components']);
  const language = asText(asObject(template.language, 'template.language').code, 'template.language.code');
  const components = asList(template.components, 'template.components').map((item) => asObject(item, 'component'));
  const body_ = readTexts(components.filter(({ type }) => type === 'body'));
  return { to, template: asText(template.name, 'name'), language, body: body_, button: readButton(components, body_) };
}

function readButton(components: Json[], body: string[]): string | null {
  const buttons = components.filter(({ type }) => type === 'button');
  if (buttons.length === 0) return null;
  for (const button of buttons) {
    requireEqual(button, 'sub_type', 'url');
    requireEqual(button, 'index', '0');
  }
  const [text] = readTexts(buttons);
  // An authentication template has the same one-time code in its text and its button: at most 15 characters, no links.
  if (body.length !== 1 || text !== body[0]) throw new Refusal(132000, 400, 'Number of parameters does not match');
  if (text === undefined || text.length > 15 || !/^\w+$/.test(text))
    throw new Refusal(132012, 400, `Format mismatch: ${text}`);
  return text;
}

function readTexts(components: Json[]): string[] {
  return components.flatMap(({ parameters }) =>
    asList(parameters, 'parameters').map((item) => {
      const parameter = asObject(item, 'parameter');
      requireEqual(parameter, 'type', 'text');
      refuseOthers(parameter, ['type', 'text']);
      return asText(parameter.text, 'text');
    }),
  );
}

function asObject(value: unknown, name: string): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw missing(name);
  return value as Json;
}

function asList(value: unknown, name: string): unknown[] {
  if (!Array.isArray(value)) throw missing(name);
  return value;
}

function asText(value: unknown, name: string): string {
  if (typeof value !== 'string' || value === '') throw missing(name);
  return value;
}

function requireEqual(object: Json, key: string, expected: string): void {
  if (object[key] !== expected) throw new Refusal(100, 400, `Invalid parameter: ${key}`);
}

function refuseOthers(object: Json, known: string[]): void {
  const other = Object.keys(object).find((key) => !known.includes(key));
  if (other !== undefined) throw new Refusal(100, 400, `Unexpected key "${other}"`);
}

function missing(name: string): Refusal {
  return new Refusal(131008, 400, `Required parameter is missing: ${name}`);
}

function toErrorBody({ message, code }: Refusal) {
  return {
    error: {
      message,
      type: 'OAuthException',
      code,
      error_data: { messaging_product: 'whatsapp', details: message },
      fbtrace_id: 'A1',
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
