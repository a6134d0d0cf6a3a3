#!/usr/bin/env node
import { existsSync } from 'node:fs';

const built = new URL('../dist/main.js', import.meta.url);
if (existsSync(built)) {
  const { main } = await import(built.href);
  process.exitCode = await main(process);
} else {
  console.error('recon is not built: run `npm run build` in its folder.');
  process.exitCode = 70;
}
