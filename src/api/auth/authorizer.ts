/** Requests that keep a distance of their own, whatever the pace of all. */
export interface Spacing {
  /** Milliseconds from one start to the next. */
  readonly gapMs: number;
  /** Hears that one waits for nothing but that. */
  onWait(): void;
}

/** Gives each attempt of a request its bearer token. */
export interface Authorizer {
  /** The distance that the scheme has requests keep; absent where they needn't. */
  readonly spacing?: Spacing;
  /** Starts the authorization of one request, over all its attempts. */
  begin(): Authorization;
}

export interface Authorization {
  /** The token for the next attempt. Throws ReconError where there is none to be had. */
  token(): Promise<string>;
  /** The service refused the last token. Says whether another attempt makes sense. */
  refused(): boolean;
  /** The scopes of the last token, where they are known. */
  scope(): string | undefined;
  /** What to look at where tokens are refused for good, as a sentence. */
  readonly advice: string;
}
