import { longestReason } from './failure-reason.ts';
import { cut } from './texts.ts';

export const redacted = '[redacted]';

/** The secrets of a run, to be redacted from foreign texts. */
export class Secrets {
  readonly #known = new Set<string>();
  /** As they are, in JSON, in URLs and in base64; the longest first, since it may contain another. */
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

  /** A text without the secrets, then cut: half a secret would not be found. */
  quote(text: string, longest = longestReason): string {
    return cut(this.redact(text), longest);
  }

  redact(text: string): string {
    return this.#forms.reduce((clean, form) => clean.replaceAll(form, redacted), text);
  }
}

function formsOf(secret: string): readonly string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const urls = [encodeURIComponent(secret), String(new URLSearchParams([['', secret]])).slice(1)];
  // Some escape slashes in JSON, and write hexadecimal digits in lower case.
  const smallUrls = urls.map((url) => url.replace(/%../g, (byte) => byte.toLowerCase()));
  // A short one would be found where there is none.
  const encodings = secret.length < 8 ? [] : (['base64', 'base64url'] as const);
  const encoded = encodings.map((one) => Buffer.from(secret).toString(one).replace(/=+$/, ''));
  return [secret, json, json.replaceAll('/', '\\/'), ...urls, ...smallUrls, ...encoded];
}

const inspect: unique symbol = Symbol.for('nodejs.util.inspect.custom');

/** A value that is hidden in text, JSON, logs and a debugger. */
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
