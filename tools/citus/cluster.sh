#!/bin/sh
# Starts servers for tests on this machine, without fsync, and prints the settings of the test run and of the benchmark
# "scale": three nodes of Citus on the ports 7701 (coordinator), 7702 and 7703, one node alone on 7704, and plain PostgreSQL
# on 7700. Run it as a user who is not root. FIRST_PORT is the first of five other ports.
#
#   sh tools/citus/cluster.sh BIN FOLDER        # BIN: the programs of build.sh; FOLDER: an empty folder
#   sh tools/citus/cluster.sh BIN FOLDER stop
set -eu
bin=${1:?the folder of initdb and pg_ctl}
folder=${2:?the folder of the data}
first=${FIRST_PORT:-7700}
nodes="plain:$first coordinator:$((first + 1)) worker1:$((first + 2)) worker2:$((first + 3)) single:$((first + 4))"
for node in $nodes; do
  name=${node%%:*}
  port=${node##*:}
  data=$folder/$name
  if [ "${3:-}" = stop ]; then
    "$bin/pg_ctl" -D "$data" -m fast stop
    continue
  fi
  if [ ! -d "$data" ]; then
    "$bin/initdb" -D "$data" -U postgres -A trust -E UTF8 --locale=C.UTF-8 > /dev/null
    cat >> "$data/postgresql.conf" << SETTINGS
port = $port
listen_addresses = '127.0.0.1'
unix_socket_directories = '$folder'
fsync = off
full_page_writes = off
max_connections = 500
max_prepared_transactions = 500
max_worker_processes = 300
max_locks_per_transaction = 1024
wal_level = logical
timezone = 'UTC'
lc_messages = 'C'
SETTINGS
    [ "$name" = plain ] || cat >> "$data/postgresql.conf" << SETTINGS
shared_preload_libraries = 'citus'
citus.local_hostname = '127.0.0.1'
citus.node_conninfo = 'sslmode=disable'
citus.enable_statistics_collection = off
citus.max_cached_conns_per_worker = 4
logging_collector = on
log_destination = 'jsonlog'
log_directory = '$folder/$name-log'
log_filename = 'log'
citus.multi_task_query_log_level = 'log'
SETTINGS
  fi
  "$bin/pg_ctl" -D "$data" status > /dev/null ||
    "$bin/pg_ctl" -D "$data" -l "$folder/$name.log" -w start > /dev/null
  "$bin/psql" -h 127.0.0.1 -p "$port" -U postgres -d postgres -qAt \
    -c "select 1 from pg_roles where rolname = 'netsaat'" | grep -q 1 ||
    "$bin/psql" -h 127.0.0.1 -p "$port" -U postgres -d postgres -qc 'create role netsaat login createdb'
done
[ "${3:-}" = stop ] && exit 0
echo "export DATABASE_URL=postgres://netsaat@127.0.0.1:$((first + 1))/postgres"
superuser=postgres://postgres@127.0.0.1
three=$superuser:$((first + 1))/postgres,$superuser:$((first + 2))/postgres,$superuser:$((first + 3))/postgres
echo "export CITUS_NODES=$three"
echo "export SCALE_PLAIN=$superuser:$first/postgres"
echo "export SCALE_ONE=$superuser:$((first + 4))/postgres"
echo "export SCALE_THREE=$three"
