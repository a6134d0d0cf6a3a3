import type { Command } from 'commander';
import type { Pacer } from '../api/pacer.ts';
import type { Flag, FlagGroup } from './flag.ts';
import type { Flags, FlagsOf } from './flags.ts';
import type { Surroundings } from './host.ts';
import type { Messages } from './messages.ts';

/** What a command runs with; `Own` is the table of its own flags. */
export interface Context<Own = unknown> extends Surroundings {
  readonly flags: Flags & FlagsOf<Own>;
  readonly messages: Messages;
  /** Limits all requests to the service at `baseUrl`. Absent unless profiles share it. */
  readonly pacerOf?: (baseUrl: string, concurrency: number) => Pacer;
}

interface Described {
  readonly name: string;
  readonly summary?: string;
  readonly examples?: readonly string[];
  readonly argument?: Flag;
  readonly flags?: readonly FlagGroup[];
  readonly notes?: string;
  readonly group?: string;
  readonly hidden?: true;
}

export interface Runnable extends Described {
  run(context: Context, words: readonly string[], command: Command): Promise<number>;
}

/** Alone, it shows its help. */
interface Group extends Described {
  readonly subcommands: readonly CommandSpec[];
}

export type CommandSpec = Runnable | Group;
