#!/usr/bin/env bash
# npm run everywhere [-- FILES]: the tests in zones far from UTC, and on each supported version of Node.
# A run has its log in node_modules/.cache/everywhere; the exit code is 1 where one of them failed.
set -uo pipefail
cd "$(dirname "$0")/.."
cache=node_modules/.cache/everywhere
mkdir -p "$cache"
failed=0

# run NAME NODE FILES...: the tests on a version of Node, in the zone of TZ.
run() {
  local name=$1 node=$2 log
  shift 2
  log="$cache/$(tr / - <<<"$name").log"
  # Programs that tests start by the name `node` are of that version too.
  if PATH="$(dirname "$node"):$PATH" "$node" node_modules/vitest/vitest.mjs run "$@" >"$log" 2>&1; then
    echo "ok      $name:$(sed 's/\x1b\[[0-9;]*m//g' "$log" | grep -E '^ +Tests ')"
  else
    failed=1
    echo "failed  $name: see $log"
  fi
}

for zone in Pacific/Kiritimati America/New_York Asia/Kathmandu; do
  TZ=$zone run "$zone" "$(command -v node)" "$@"
done

for version in 20 22 24; do
  npm install --silent --no-audit --no-fund --prefix "$cache/node-$version" "node@$version" || exit 1
  run "node $version" "$PWD/$cache/node-$version/node_modules/node/bin/node" "$@"
done

exit "$failed"
