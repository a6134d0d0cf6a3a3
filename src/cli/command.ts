import type { Command } from 'commander';
import type { Context } from './context.ts';
import type { Flag, FlagGroup } from './flag.ts';

interface Described {
  readonly name: string;
  /** What it does, for the list of commands and the head of its help. */
  readonly summary?: string;
  /** Whole command lines. */
  readonly examples?: readonly string[];
  /** What it takes beside flags. */
  readonly argument?: Flag;
  readonly flags?: readonly FlagGroup[];
  /** What its help says below the flags. */
  readonly notes?: string;
  /** Left out of help and completion. */
  readonly hidden?: true;
}

/** A command that does something. */
interface Runnable extends Described {
  /**
   * Does it and gives the exit code; loads what that takes only then. `words` are its arguments,
   * `command` is as it was parsed.
   */
  readonly run: (context: Context, words: readonly string[], command: Command) => Promise<number>;
}

/** A command that has others below it; alone it shows its help. */
interface Group extends Described {
  readonly subcommands: readonly CommandSpec[];
}

/** A command as a value: help, completion and the parsing of command lines are made from it. */
export type CommandSpec = Runnable | Group;
