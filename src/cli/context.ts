import type { Command } from 'commander';
import type { Pacer } from '../api/pacer.ts';
import type { Flag, FlagGroup, FlagsOf } from './flag.ts';
import type { Flags } from './flags.ts';
import type { Surroundings } from './host.ts';
import type { Messages } from './messages.ts';

/** What a command runs with; `Own` is the table of its own flags. */
export interface Context<Own = unknown> extends Surroundings {
  readonly flags: Flags & FlagsOf<Own>;
  readonly messages: Messages;
  /** Limits all requests to the service at `baseUrl`. Absent unless profiles share it. */
  readonly pacerOf?: (baseUrl: string, concurrency: number) => Pacer;
}

/** What a command takes, and its help: cheap, as every start loads it. */
export interface CommandSpec {
  readonly name: string;
  readonly summary?: string;
  readonly examples?: readonly string[];
  readonly argument?: Flag;
  /** Flags that it does not share, by the names that `run` reads. */
  readonly own?: Readonly<Record<string, Flag>>;
  /** All of its flags, as help shows them. */
  readonly flags?: readonly FlagGroup[];
  readonly notes?: string;
  readonly hidden?: true;
  readonly group?: string;
}

/** What a command with this spec runs with. */
export type ContextOf<Spec extends CommandSpec> = Context<Spec['own']>;

interface Runnable extends CommandSpec {
  run(context: Context, words: readonly string[], command: Command): Promise<number>;
}

/** Alone, it shows its help. */
interface Group extends CommandSpec {
  readonly subcommands: readonly AnyCommand[];
}

export type AnyCommand = Runnable | Group;

/** A command whose `run` is loaded only when it is chosen. Returns the exit code. */
export function runnable<Spec extends CommandSpec>(
  spec: Spec,
  load: () => Promise<(context: ContextOf<Spec>, words: readonly string[]) => Promise<number>>,
): Runnable {
  return {
    ...spec,
    run: async (context: ContextOf<Spec>, words) => (await load())(context, words),
  };
}
