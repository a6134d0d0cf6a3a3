#!/usr/bin/env node
// Of what is imported, Node lists all that it exports, which takes longer than anything here.
const { existsSync } = process.getBuiltinModule('fs');
const { setFlagsFromString } = process.getBuiltinModule('v8');

// Left to itself, the heap grows to four times what is in use before it is tidied up: a long run would
// take a fifth more memory, to be a twentieth faster.
setFlagsFromString('--heap-growing-percent=150');

// What Node warns of is for who develops, and cron would mail it. Without a type it is about the user's
// own environment, such as NODE_TLS_REJECT_UNAUTHORIZED, and worth knowing.
process.removeAllListeners('warning');
process.on('warning', ({ name, message }) => {
  if (name === 'Warning') console.error(`warning: ${message}`);
});

const built = new URL('../dist/main.js', import.meta.url);
if (existsSync(built)) {
  const { main } = await import(built.href);
  process.exitCode = await main(process);
} else {
  console.error('recon is not built: run `npm run build` in its folder.');
  process.exitCode = 70;
}
