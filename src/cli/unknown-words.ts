import type { Command } from 'commander';
import { didYouMean } from '../base/texts.ts';

type Meanings = Readonly<Record<string, string>>;

/** Words of other tools, by ours. */
const otherNames: Meanings = {
  '--from': '--start --since --after --begin',
  '--to': '--end --until --before',
  '--on': '--date --day',
  '--output': '--out --file --output-file',
  '--format csv': '--csv',
  '--format ndjson': '--json --ndjson',
  '--format markdown': '--markdown',
  '--format': '-f',
  '--quiet': '--silent',
  '--verbose': '--debug -v -V',
  '--version': '-v',
  '--only': '--status --verdict',
  '--state': '--status',
  '--mid': '--merchant',
  '--cid': '--company',
  '--chid': '--chain',
  '--profile': '--env --environment -p',
  settlements: 'reconcile report list',
  config: 'configure settings',
  'config init': 'init setup',
  'export --verify': 'verify',
  listen: 'webhook webhooks',
};

/** Flags of other tools, by where to set them. */
const elsewhere: Meanings = {
  'Set time_zone in the profile, or RECON_TIME_ZONE.': '--timezone --time-zone --tz',
  'Filter the output by its currency column.': '--currency',
  'Set it in the profile or the environment: recon help environment.':
    '--url --base-url --client-id --client-secret --token --audience --notify-url',
};

function meantBy(text: string, table: Meanings): readonly string[] {
  return Object.keys(table).filter((meant) => table[meant]?.split(' ').includes(text));
}

/** What to try instead of an unknown flag. */
export function hintForFlag(flag: string, command: Command): string {
  const known = command.options.flatMap(({ long }) => long ?? []);
  const [hint] = meantBy(flag, elsewhere);
  const all = command.parent
    ? `recon help ${pathOf(command)} --all lists all flags.`
    : 'Start with a command: recon --help lists them.';
  return hint ?? nearest(flag, known) ?? all;
}

/** What to try instead of an unknown command. */
export function hintForCommand(name: string, known: readonly string[]): string {
  return nearest(name, known) ?? 'recon help lists the commands.';
}

/** The words of a command, without `recon`. */
export function pathOf(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${pathOf(parent)} ${command.name()}` : command.name();
}

function nearest(text: string, known: readonly string[]): string | undefined {
  const meant = meantBy(text, otherNames).find((ours) => known.includes(ours.replace(/ .*/, '')));
  if (meant) return `Did you mean ${meant}?`;
  // The first letter of a word is seldom mistyped.
  const first = (word: string) => word.replace(/^-+/, '').charAt(0);
  const alike = known.filter((one) => first(one) === first(text));
  return didYouMean(text, alike);
}
