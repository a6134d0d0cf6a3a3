import type { SettingWithOrigin } from '../../config/show.ts';
import type { Checked, CheckName, Level } from '../../doctor/checks.ts';
import type { DateRange } from '../../model/source.ts';
import type { Tone } from '../common/view.ts';

/** Everything that the report of `recon doctor` is made of. */
export interface DoctorReport {
  /** Always all of them, in the same order. */
  readonly checks: readonly Checked[];
  readonly level: Level;
  /** The days whose settlements were looked at; undefined where nothing could be asked. */
  readonly range: DateRange | undefined;
  /** How many requests were made. */
  readonly requests: number;
  /** The configuration file, where there is one. */
  readonly file: string | undefined;
  /** Every setting and where it comes from; none where they can't be read. */
  readonly settings: readonly SettingWithOrigin[];
}

export const checkWords: Readonly<Record<CheckName, string>> = {
  configuration: 'configuration',
  proxy: 'proxy',
  address: 'address',
  tls: 'TLS',
  clock: 'clock',
  token: 'token',
  settlements: 'settlements',
  settlement_pages: 'pages of settlements',
  transaction_pages: 'pages of transactions',
  latency: 'latency',
  records: 'records',
  dates: 'dates',
  scales: 'decimal places',
  identity: 'identity',
  charges: 'charges',
  interface: 'interface',
};

export const levelWords: Readonly<Record<Level, string>> = {
  ok: 'ok',
  warning: 'warning',
  failure: 'failure',
  not_checked: 'not checked',
};

export const levelTones: Readonly<Record<Level, Tone>> = {
  ok: 'good',
  warning: 'unsure',
  failure: 'bad',
  not_checked: 'quiet',
};
