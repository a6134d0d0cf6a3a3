import { shellWord } from '../base/texts.ts';
import { scenarioNames } from '../sandbox/scenarios.ts';
import type { ServiceFlags } from './source.ts';

export type RepeatedFlags = Pick<ServiceFlags, 'profile' | 'config' | 'sandbox' | 'scenario'>;

/**
 * What another command needs to ask the same service. It may be read from an export now: that makes
 * it no other report.
 */
export function flagsToRepeat({ profile, config, sandbox, scenario }: RepeatedFlags): string {
  const words = [
    ...(profile === undefined ? [] : ['--profile', profile]),
    ...(config === undefined ? [] : ['--config', config]),
    ...(sandbox ? ['--sandbox'] : []),
    ...(scenario === undefined || scenario === scenarioNames[0] ? [] : ['--scenario', scenario]),
  ];
  return words.map(shellWord).join(' ');
}
