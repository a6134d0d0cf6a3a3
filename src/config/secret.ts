/** What stands in a secret's place. */
export const redacted = '[redacted]';
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

/** Takes the secrets out of a text from elsewhere, also where they stand in JSON or in a URL. */
export function redact(text: string, secrets: readonly Secret[]): string {
  return secrets
    .map((secret) => secret.reveal())
    .flatMap((plain) => [plain, JSON.stringify(plain).slice(1, -1), encodeURIComponent(plain)])
    .filter((form) => form !== '')
    .sort((one, other) => other.length - one.length)
    .reduce((clean, form) => clean.replaceAll(form, redacted), text);
}
