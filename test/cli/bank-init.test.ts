import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { number, row, text, workbookOf } from '../bank/workbook-file.ts';
import { runRecon } from '../support/run-recon.ts';
import { readRecords } from './read-report.ts';
import { temporaryFolder } from './temporary.ts';

/** Names and texts: never in a mapping. */
const canary = 'canary';

const payout = `${canary} payout of 4 March E2E-20260304-03`;

/** Files in the form of banks that reach a result, with the keys that the user must decide. */
const layouts: Readonly<
  Record<string, readonly [lines: readonly string[], decided: Readonly<Record<string, string>>]>
> = {
  'without a header': [
    [
      `AT611904300234573201;${canary} Miete Müller;02.03.2026;02.03.2026;-700,00;EUR`,
      `AT611904300234573201;${payout};05.03.2026;05.03.2026;+3.452,72;EUR`,
      `AT611904300234573201;${canary} Gebühr;31.03.2026;30.03.2026;-5,20;EUR`,
    ],
    { date: '"3"' },
  ],
  'with words for money in and out': [
    [
      '"Datum";"Naam / Omschrijving";"Rekening";"Tegenrekening";"Code";"Af Bij";"Bedrag (EUR)";"Mutatiesoort";"Mededelingen"',
      `"20260302";"${canary} Huur";"NL99INGB0000000001";"";"DV";"Af";"1,25";"Diversen";"${canary}"`,
      `"20260305";"${canary}";"NL99INGB0000000001";"DE77999999990000251034";"OV";"Bij";"3452,72";"Overschrijving";"${payout}"`,
      `"20260331";"${canary} Huur";"NL99INGB0000000001";"";"DV";"Af";"1,25";"Diversen";"${canary}"`,
    ],
    {},
  ],
  'with fees, states and rows without a date': [
    [
      'Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance',
      `TRANSFER,Current,2026-03-01 09:00:00,2026-03-01 09:00:01,${canary},-10.00,0.00,EUR,COMPLETED,90.00`,
      `TOPUP,Current,2026-03-05 10:00:00,2026-03-05 10:00:05,${payout},3454.22,1.50,EUR,COMPLETED,3542.72`,
      `CARD,Current,2026-03-30 11:21:43,,${canary},-44.57,0.00,EUR,PENDING,`,
      `TRANSFER,Current,2026-03-31 09:00:00,2026-03-31 09:00:01,${canary},-10.00,0.00,EUR,COMPLETED,3532.72`,
    ],
    {},
  ],
  'with balances above and below the rows': [
    [
      'Code de la banque : 11425;Numéro de guichet : 00001;;;;',
      `Numéro de compte : 08088804068;Nom du compte : ${canary};Devise : EUR;;;`,
      'Solde en fin de période;;;;+3532,72;',
      "Date;Numéro d'opération;Libellé;Débit;Crédit;Détail",
      `02/03/26;OP1;LOYER;-10,00;;${canary}`,
      `05/03/26;OP2;VIR;;+3452,72;${payout}`,
      `09/03/26;OP3;LOYER;-20,50;;${canary}`,
      'Solde en début de période;;;;+110,50;',
    ],
    { date_format: '"DD/MM/YY"' },
  ],
};

describe('a file in the form of a bank', () => {
  test.each(Object.entries(layouts))(
    '%s is reconciled by the mapping that is proposed',
    async (_, [lines, decided]) => {
      const folder = await temporaryFolder();
      const [file, config] = [join(folder, 'march.csv'), join(folder, 'bank.toml')];
      await writeFile(file, Buffer.from(`${lines.join('\r\n')}\r\n`, 'latin1'));
      const { stdout, exitCode } = await runRecon(['bank', '--init', file, '--profile', 'shop']);
      expect(exitCode).toBe(0);
      expect(stdout).toContain('[profiles.shop.bank_csv]');
      expect(stdout).not.toContain(canary);
      expect(stdout).not.toMatch(/\d{8}/);
      await writeFile(config, stdout);
      const open = Object.entries(decided);
      expect(open.length).toBeLessThanOrEqual(2);
      for (const [key, value] of open) {
        const mapping = await readFile(config, 'utf8');
        expect(mapping).toContain(`\n#${key} = ${value}\n`);
        await writeFile(config, mapping.replace(`\n#${key} =`, `\n${key} =`));
      }
      const mapped = ['--config', config, '--profile', 'shop'];
      const run = await runRecon(['bank', file, '--sandbox', '--on', '2026-03-04', ...mapped]);
      expect([0, 1]).toContain(run.exitCode);
      const found = readRecords(run.stdout).filter((one) => one['matched_by'] === 'text');
      expect(found).toMatchObject([{ state: 'matched', expected: '3452.72', received: '3452.72' }]);
    },
  );
});

describe('recon bank --init', () => {
  const init = async (name: string, content: string | Buffer) => {
    const path = join(await temporaryFolder(), name);
    await writeFile(path, content);
    return runRecon(['bank', '--init', path]);
  };

  test('reads a workbook, whose cells have dates and numbers', async () => {
    const cells = (line: number, amount: string, balance: string, said = `${canary} ${line}`) =>
      row(
        line,
        ...[number(`A${line}`, String(46_080 + line), 1), text(`B${line}`, said)],
        ...[number(`C${line}`, amount), number(`D${line}`, balance)],
      );
    const { stdout } = await init(
      'march.xlsx',
      workbookOf({
        formats: ['dd/mm/yyyy'],
        rows: [
          row(1, text('A1', `${canary} account`)),
          row(
            3,
            ...['Fecha', 'Concepto', 'Importe', 'Saldo'].map((name, at) =>
              text(`${'ABCD'[at]}3`, name),
            ),
          ),
          cells(4, '-10', '90'),
          cells(5, '3452.72', '3542.72'),
          cells(6, '-0.5', '3542.22'),
        ].join(''),
      }),
    );
    for (const line of [
      ...['decimal = "."  # 6 of 6 amounts', 'date_format = "YYYY-MM-DD"  # 3 of 3 dates'],
      ...['date = "Fecha"', 'amount = "Importe"', 'balance = "Saldo"  # 3 of 3 rows agree'],
      'texts = ["Concepto"]',
    ]) {
      expect(stdout).toContain(`\n${line}\n`);
    }
    expect(stdout).not.toContain(canary);
    expect(stdout).not.toContain('delimiter');
  });

  test('is of the profile in use, like the mappings of orders and of the journal', async () => {
    const folder = await temporaryFolder();
    const [file, config] = [join(folder, 'a.csv'), join(folder, 'config.toml')];
    await writeFile(file, 'Date,Order,Total,Amount\n2026-03-13,1,1.00,-1.00\n');
    const tables = async (toml: string, env: Readonly<Record<string, string>> = {}) => {
      await writeFile(config, toml, { mode: 0o600 });
      const runs = [['bank', file], ['orders', file], ['journal']].map((words) =>
        runRecon([...words, '--init', '--config', config], { env }),
      );
      const found = (await Promise.all(runs)).flatMap(
        ({ stdout }) => /^\[profiles\.([^.\]]+)/m.exec(stdout)?.[1] ?? [],
      );
      return [...new Set(found)];
    };
    expect(await tables('')).toEqual(['main']);
    expect(await tables('[profiles.shop]\n')).toEqual(['shop']);
    const two = '[profiles.shop]\n[profiles.other]\n';
    expect(await tables(`default_profile = "other"\n${two}`)).toEqual(['other']);
    expect(await tables(two, { RECON_PROFILE: 'shop' })).toEqual(['shop']);
    expect(await tables(two)).toEqual(['NAME']);
  });

  test('says what a file is that it cannot look at', async () => {
    const refused = async (name: string, content: string | Buffer) => {
      const { stderr, exitCode } = await init(name, content);
      expect(exitCode).toBe(2);
      return stderr;
    };
    expect(await refused('march.pdf', '%PDF-1.7\n')).toContain('This is a PDF, not a table.');
    for (const mark of [[], [0xff, 0xfe, 0, 0]]) {
      const utf32 = Buffer.from([
        ...mark,
        ...[...'day;amount\n'].flatMap((one) => [one.charCodeAt(0), 0, 0, 0]),
      ]);
      expect(await refused('march.csv', utf32)).toContain('This is a text in UTF-32, not a table.');
      expect(await refused('march.csv', utf32.swap32())).toContain('UTF-32, not a table.');
    }
    expect(await refused('march.txt', 'Call the bank\n')).toContain('The file has no columns.');
    const { exitCode, stderr } = await runRecon(['bank', '--init']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Name the file to look at: --init march.csv.');
  });

  test('looks at the beginning of a file of any size', async () => {
    const rows = Array.from({ length: 12_000 }, (_, at) => `2026-03-05,-1.00,${canary} ${at}`);
    const { stdout } = await init('large.csv', `Date,Amount,Description\n${rows.join('\n')}\n`);
    const [, amounts, entries] =
      /of ([\d,]+) amounts.*mapping: ([\d,]+) entries/s.exec(stdout) ?? [];
    expect(amounts).toMatch(/^[89],\d{3}$/);
    expect(entries).toBe(amounts);
    expect(stdout).not.toContain(canary);
  });
});
