import { writeSync } from 'node:fs';

// Loaded into a measured process before its own code: at the end it tells what the process used.

process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const usage = { cpuMs: (userCPUTime + systemCPUTime) / 1000, peakMb: maxRSS / 1024 };
  writeSync(3, JSON.stringify(usage));
});
