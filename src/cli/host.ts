/** The process, as far as the program touches it. Tests bring their own. */
export interface Host {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: Stream;
  readonly stderr: Stream;
  readonly on: (signal: Interruption, listener: () => void) => unknown;
  readonly off: (signal: Interruption, listener: () => void) => unknown;
  readonly getuid?: () => number;
  readonly pid: number;
  /** With signal 0 it only says whether the process is there; throws where it isn't. */
  readonly kill: (pid: number, signal: 0) => boolean;
}

export type Interruption = 'SIGINT' | 'SIGTERM';

export interface Stream extends NodeJS.WritableStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}
