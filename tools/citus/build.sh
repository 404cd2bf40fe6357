#!/bin/sh
# Builds Citus 13.2.2 from its sources for the PostgreSQL 15 of Debian or Ubuntu and installs it below PREFIX, together with a
# copy of that PostgreSQL, so that the installed one stays as it is. The server programs are then in
# PREFIX/usr/lib/postgresql/15/bin. Needs postgresql-15, postgresql-server-dev-15, gcc, make, flex, libkrb5-dev,
# libssl-dev, liblz4-dev, libzstd-dev and libicu-dev.
#
#   sh tools/citus/build.sh SOURCE PREFIX [corrected]
#
# SOURCE is an unpacked archive of https://github.com/citusdata/citus, tag v13.2.2; PREFIX an absolute path. `corrected` corrects
# the leak of the plan cache, with the effect of pull request 8824 in the releases 13.5 and 14.3, and builds the version
# "13.2.2+pr8824", by whose name the service recognizes it (ADR 0167). Use another SOURCE for each of the two.
set -eu
source=${1:?the folder of the sources of Citus 13.2.2}
prefix=${2:?the absolute path to install below}
suffix=
case ${3:-} in
  '' | corrected) ;;
  *) echo "unknown argument $3" >&2; exit 1 ;;
esac
server=/usr/lib/postgresql/15
cd "$source"

# PostgreSQL from 15.20 on declares have_createdb_privilege() itself, and the header of Citus defines a static one.
header=src/include/pg_version_compat.h
if ! grep -q '^#include "commands/dbcommands.h"' "$header"; then
  awk '
    /^static (inline )?bool$/ { held = $0; next }
    held != "" && /^have_createdb_privilege\(void\)/ { print "#include \"commands/dbcommands.h\""; held = ""; skips = 1; next }
    held != "" { print held; held = "" }
    skips { if (/^}/) skips = 0; next }
    { print }
  ' "$header" > "$header.new"
  grep -q '^#include "commands/dbcommands.h"' "$header.new" || { echo "$header has an unknown form" >&2; exit 1; }
  mv "$header.new" "$header"
fi

# A kept plan has no tasks when the shard is known only at the execution; the search for it demanded exactly one task, so it
# never found the plan. Corrected, it accepts none or one.
cache=src/backend/distributed/planner/local_plan_cache.c
if [ "${3:-}" = corrected ]; then
  suffix=+pr8824
  sed -i 's/list_length(distributedPlan->workerJob->taskList) != 1/list_length(distributedPlan->workerJob->taskList) > 1/' $cache
  grep -q 'distributedPlan->workerJob->taskList) > 1' $cache || { echo "$cache has an unknown form" >&2; exit 1; }
else
  grep -q 'distributedPlan->workerJob->taskList) != 1' $cache || { echo "$cache is corrected already or has an unknown form; use freshly unpacked sources" >&2; exit 1; }
fi

./configure PG_CONFIG=$server/bin/pg_config --without-libcurl --with-extra-version="$suffix" CFLAGS=-O2
make -j"$(nproc)" with_llvm=no
mkdir -p "$prefix/usr/lib/postgresql" "$prefix/usr/share/postgresql"
cp -a $server "$prefix/usr/lib/postgresql/"
cp -a /usr/share/postgresql/15 "$prefix/usr/share/postgresql/"
make with_llvm=no install DESTDIR="$prefix"
