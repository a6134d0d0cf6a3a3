#!/usr/bin/env node
// Of what is imported, Node lists all that it exports, which takes longer than anything here.
const { existsSync } = process.getBuiltinModule('fs');

// What Node warns of is for who develops, and cron would mail it. Without a type it is about the user's
// own environment, such as NODE_TLS_REJECT_UNAUTHORIZED, and worth knowing.
process.removeAllListeners('warning');
process.on('warning', ({ name, message }) => {
  if (name === 'Warning') console.error(`warning: ${message}`);
});

const built = new URL('../dist/main.js', import.meta.url);
if (existsSync(built)) {
  try {
    const { main } = await import(built.href);
    process.exitCode = await main(process);
  } catch (error) {
    // Of a program that is replaced while it runs, a file may be gone.
    console.error(`error: A file of recon itself cannot be used: ${error.message}`);
    console.error('  try: Run it again. If this stays, install it again.');
    process.exitCode = 70;
  }
} else {
  console.error('recon is not built: run `npm run build` in its folder.');
  process.exitCode = 70;
}
