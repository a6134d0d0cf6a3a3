import { readFileSync, writeSync } from 'node:fs';

// Loaded into a measured process before its own code: at the end it tells what the process used.

process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  // Of the main thread: nanoseconds on a CPU.
  const [mainNs] = readFileSync('/proc/self/schedstat', 'utf8').split(' ');
  const usage = {
    cpuMs: (userCPUTime + systemCPUTime) / 1000,
    mainMs: Number(mainNs) / 1e6,
    peakMb: maxRSS / 1024,
  };
  writeSync(3, JSON.stringify(usage));
});
