import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Where a program is on this machine; undefined where it is not, and the tests that need it are
 * skipped. CI has all of them: there it throws.
 */
export function programAt(...names: readonly string[]): string | undefined {
  const { PATH: path = '', SPARK_HOME: spark } = process.env;
  const folders = [...(spark === undefined ? [] : [join(spark, 'bin')]), ...path.split(delimiter)];
  const paths = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  const found = paths.find((path) => existsSync(path));
  if (found) return found;
  const message = `${names.join(' or ')} is not installed: its tests cannot run.`;
  if (process.env['CI']) throw new Error(message);
  console.warn(`${message} They are skipped.`);
  return undefined;
}
