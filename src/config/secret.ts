import { redacted } from '../base/secrets.ts';

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
