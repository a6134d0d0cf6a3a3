import { cut } from './texts.ts';

/** What replaces a secret. */
export const redacted = '[redacted]';

/** No more of a text from elsewhere stands in an error or a log. */
const longestQuote = 500;

/** The secrets that a run knows, to be taken out of whatever others say. */
export class Secrets {
  readonly #known = new Set<string>();
  /** As they are, and as they stand in JSON and in a URL; the longest first: it may hold another. */
  #forms: readonly string[] = [];

  constructor(secrets: Iterable<string> = []) {
    for (const secret of secrets) this.add(secret);
  }

  add(secret: string): void {
    if (secret === '' || this.#known.has(secret)) return;
    this.#known.add(secret);
    this.#forms = [...new Set([...this.#forms, ...formsOf(secret)])].sort(
      (one, other) => other.length - one.length,
    );
  }

  /** A text from elsewhere without the secrets, and then cut: half of a secret is none to search for. */
  quote(text: string, longest = longestQuote): string {
    return cut(this.redact(text), longest);
  }

  /** The whole text without the secrets. */
  redact(text: string): string {
    return this.#forms.reduce((clean, form) => clean.replaceAll(form, redacted), text);
  }
}

function formsOf(secret: string): readonly string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const urls = [
    encodeURIComponent(secret),
    new URLSearchParams([['', secret]]).toString().slice(1),
  ];
  // Some write a slash as \/ in JSON, and hexadecimal digits small.
  const smallUrls = urls.map((url) => url.replace(/%../g, (byte) => byte.toLowerCase()));
  return [secret, json, json.replaceAll('/', '\\/'), ...urls, ...smallUrls];
}

/** The method by which Node prints an object. */
const inspect: unique symbol = Symbol.for('nodejs.util.inspect.custom');

/** A value that shows itself only when asked to: not in text, JSON, logs or a debugger's print. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return redacted;
  }

  toJSON(): string {
    return redacted;
  }

  [inspect](): string {
    return redacted;
  }
}
