import { addDays, isBusinessDay, spanOf } from '../base/calendar.ts';
import type { BankStatements, Holidays } from '../model/bank.ts';
import type { Settlement } from '../model/settlement.ts';
import type { DateRange } from '../model/source.ts';

/** How the business days of a currency are known: by the rule of TARGET, or from Monday to Friday. */
export type Calendar = 'target' | 'weekdays';

export function calendarOf(currency: string): Calendar {
  return currency === 'EUR' ? 'target' : 'weekdays';
}

/** The days on which banks book, by currency: the calendar of each, without its holidays. */
export class BusinessDays {
  readonly #holidays: Holidays;
  /** Days are counted once: thousands of settlements have the same few hundred dates. */
  readonly #due = new Map<string, DateRange>();

  constructor(holidays: Holidays = new Map()) {
    this.#holidays = holidays;
  }

  isOpen(day: string, currency: string): boolean {
    if (!isBusinessDay(day) || (calendarOf(currency) === 'target' && isTargetHoliday(day))) {
      return false;
    }
    return !['', currency].some((of) => this.#holidays.get(of)?.has(day));
  }

  /** The days on which the money of a settlement is expected: −1 to +5 business days. */
  daysDue({ date, currency }: Pick<Settlement, 'date' | 'currency'>): DateRange {
    const key = `${currency} ${date}`;
    const isOpen = (day: string) => this.isOpen(day, currency);
    const days = this.#due.get(key) ?? {
      from: addBusinessDays(date, -1, isOpen),
      to: addBusinessDays(date, 5, isOpen),
    };
    this.#due.set(key, days);
    return days;
  }

  /** How many holidays count for a currency beside its calendar. */
  holidaysOf(currency: string): number {
    const own = ['', currency].flatMap((of) => [...(this.#holidays.get(of) ?? [])]);
    return new Set(own).size;
  }
}

/** The day so many business days after a day, or before it. */
export function addBusinessDays(day: string, days: number, isOpen = isBusinessDay): string {
  const step = days < 0 ? -1 : 1;
  let at = day;
  for (let left = Math.abs(days); left > 0; ) {
    at = addDays(at, step);
    if (isOpen(at)) left -= 1;
  }
  return at;
}

const fixedHolidays = ['01-01', '05-01', '12-25', '12-26'];

/** Whether TARGET is closed on a day that is not a weekend: it has no substitutes for such days. */
function isTargetHoliday(day: string): boolean {
  if (fixedHolidays.includes(day.slice(5))) return true;
  const easter = easterOf(Number(day.slice(0, 4)));
  return day === addDays(easter, -2) || day === addDays(easter, 1);
}

const easters = new Map<number, string>();

/** Easter Sunday of a year in the Gregorian calendar, by the rule of Meeus, Jones and Butcher. */
function easterOf(year: number): string {
  const known = easters.get(year);
  if (known !== undefined) return known;
  const over = (a: number, b: number) => Math.floor(a / b);
  const golden = year % 19;
  const century = over(year, 100);
  const moved = over(century - over(century + 8, 25) + 1, 3);
  const epact = (19 * golden + century - over(century, 4) - moved + 15) % 30;
  const [leaps, rest] = [over(year % 100, 4), (year % 100) % 4];
  const weekday = (32 + 2 * (century % 4) + 2 * leaps - epact - rest) % 7;
  const late = over(golden + 11 * epact + 22 * weekday, 451);
  const sum = epact + weekday - 7 * late + 114;
  const text = (part: number) => String(part).padStart(2, '0');
  const easter = `${text(year).padStart(4, '0')}-${text(over(sum, 31))}-${text((sum % 31) + 1)}`;
  easters.set(year, easter);
  return easter;
}

/** How many days before and after its date a settlement's money may arrive: more than the days it is due. */
export const daysAround = { before: 7, after: 14 } as const;

/** The days whose pay-outs statements are about: those that they cover, and some before. Undefined without any. */
export function payoutDays({
  statements,
}: Pick<BankStatements, 'statements'>): DateRange | undefined {
  const covered = daysCovered(statements);
  return covered && { from: addDays(covered.from, -daysAround.before), to: covered.to };
}

/** From the first to the last day of statements; one that was cut short may name none. */
export function daysCovered(statements: BankStatements['statements']): DateRange | undefined {
  return spanOf(statements.flatMap(({ from, to }) => [from, to]).filter((day) => day !== ''));
}

/** The days of settlements that may explain entries on the days of a range. */
export function explainingDays({ from, to }: DateRange): DateRange {
  return { from: addDays(from, -daysAround.after), to: addDays(to, daysAround.before) };
}
