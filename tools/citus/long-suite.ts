/**
 * The files of the long suite that a run on Citus leaves out (`npm run acceptance:citus -- --long`): a file or a
 * folder, and the reason.
 */
export const NOT_ON_CITUS: readonly (readonly [path: string, reason: string])[] = [
  ['src', 'functions without a database'],
  ['test/fuzz', 'functions without a database'],
  ['test/demo', 'starts the demo with its own embedded database'],
  ['test/guards', 'rules of the repository, on plain PostgreSQL'],
  [
    'test/integration/console',
    'drives a browser; the requests below the pages are those of the other folders',
  ],
  ['test/integration/embedded', 'starts its own embedded database'],
  [
    'test/integration/metering/compressed-replica.long.test.ts',
    'starts a primary and a replica of plain PostgreSQL',
  ],
  ['test/service/cascade-kill.long.test.ts', 'stops a run by a trigger and an advisory lock of one server'],
  ['test/service/scenario-kill.long.test.ts', 'stops a run by a trigger and an advisory lock of one server'],
  ['test/service/cli.long.test.ts', 'starts its own embedded database'],
  ['test/service/clock-jump.long.test.ts', 'starts its own embedded database with another clock'],
  ['test/service/database-killed.long.test.ts', 'kills its own embedded database'],
  ['test/service/file-modes.long.test.ts', 'looks at files of its own embedded database'],
  ['test/service/full-disk.long.test.ts', 'fills the disk of its own embedded database'],
  ['test/service/read-only.long.test.ts', 'makes the disk of its own embedded database read-only'],
  ['test/service/read-replicas.long.test.ts', 'starts a primary and a replica of plain PostgreSQL'],
  ['test/service/restore.long.test.ts', 'restores a backup of its own embedded database'],
]
