import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** Compiles the kernels that have changed, since tests load them as they are compiled. */
export function setup(): void {
  execFileSync(process.execPath, ['esbuild.config.mjs', '--kernels'], { cwd: root });
}
