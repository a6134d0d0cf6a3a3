#!/usr/bin/env bash
# Runs the tests, those of test/crash too, on each supported Node and in time zones far from UTC:
# three runs see all of both. Arguments go to the test runner. Each run takes a few minutes.
set -uo pipefail
cd "$(dirname "$0")/.."
npm run build || exit

failed=()
while read -r node zone; do
  echo "Node $node, $zone"
  for config in vitest.config.ts test/crash/vitest.config.ts; do
    TZ=$zone npx --yes --package "node@$node" -- \
      node node_modules/vitest/vitest.mjs run --config "$config" --passWithNoTests "$@" \
      </dev/null || failed+=("Node $node, $zone, $config")
  done
done <<'RUNS'
20.18.1 Pacific/Kiritimati
22      America/New_York
24      Asia/Kathmandu
RUNS

((${#failed[@]} == 0)) && echo 'All passed everywhere.' && exit
printf 'Failed: %s\n' "${failed[@]}"
exit 1
