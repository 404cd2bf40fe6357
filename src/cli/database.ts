import { resolve } from 'node:path'
import { iso } from '../kernel/time.ts'
import { schemaProblem } from '../platform/db/check.ts'
import { hasSqlState, SQLSTATE } from '../platform/db/errors.ts'
import { migrate as migrateSchema } from '../platform/db/migrate.ts'
import { backupEmbedded, restoreEmbedded } from '../platform/embedded-postgres/backup.ts'
import { reachEmbedded } from '../platform/embedded-postgres/reach.ts'
import { makeLog } from '../platform/observability/log.ts'
import { runAs } from '../platform/runtime/actor.ts'
import type { Deps } from '../platform/runtime/deps.ts'
import type { Settings } from '../platform/settings/config.ts'
import { makeDeps } from '../service/deps.ts'
import {
  CREDENTIAL_KEY,
  readGeneratedKey,
  requireGeneratedKeys,
  requireNoOtherKey,
  restoreGeneratedKeys,
  writeGeneratedKeys,
} from '../service/generated-keys.ts'
import { type Command, type Invocation, UsageError } from './command.ts'
import { settingsOf } from './settings.ts'

/** The output of a command is for people: it logs warnings and errors, or less where LOG_LEVEL says so. */
const commandLog = ({ logLevel }: Pick<Settings, 'logLevel'>) =>
  makeLog(['error', 'fatal', 'silent'].includes(logLevel) ? logLevel : 'warn')

export interface DatabaseUrls {
  /** Of the role that serves. */
  readonly url: string
  /** Of the role that owns the tables. */
  readonly ownerUrl: string
}

/**
 * Runs work with the URLs of the configured database: the external one, or the embedded one, whether or not
 * its service is running.
 */
export async function withDatabase<T>(
  settings: Settings,
  work: (urls: DatabaseUrls) => Promise<T>,
): Promise<T> {
  const { databaseUrl, databaseOwnerUrl } = settings
  if (databaseUrl) return work({ url: databaseUrl, ownerUrl: databaseOwnerUrl ?? databaseUrl })
  const reached = await reachEmbedded({ dataDir: resolve(settings.dataDir), log: commandLog(settings) })
  try {
    return await work(reached)
  } finally {
    await reached.stop()
  }
}

/** Runs work with dependencies over the configured database; the schema must be up to date. */
export function withDeps<T>({ command, env, io }: Invocation, work: (deps: Deps) => Promise<T>): Promise<T> {
  const settings = settingsOf(env, io)
  return withDatabase(settings, async ({ url, ownerUrl }) => {
    const dataDir = resolve(settings.dataDir)
    const credentialEncryptionKey =
      settings.credentialEncryptionKey ?? (await readGeneratedKey(dataDir, CREDENTIAL_KEY))
    const deps = depsOver({ ...settings, credentialEncryptionKey }, { url, ownerUrl, now: io.now })
    try {
      const problem = await schemaProblem(deps.database).catch(missingTable)
      if (problem) throw new Error(`${problem}: run "netsaat migrate", or start the service once`)
      return await runAs({ kind: 'command', operation: command, at: iso(io.now()) }, () => work(deps))
    } finally {
      await deps.ingest.drain()
      await deps.database.close()
    }
  })
}

function missingTable(error: unknown): string {
  if (hasSqlState(error, SQLSTATE.undefinedTable)) return 'the database has no schema yet'
  throw error
}

function depsOver(settings: Settings, { url, ownerUrl, now }: DatabaseUrls & { now: () => number }): Deps {
  const noMail = async () => {
    throw new Error('a command sends no mail')
  }
  return makeDeps({
    // No command issues tokens, so no key is needed and none is generated.
    config: { ...settings, secretKey: settings.secretKey ?? '' },
    url,
    ownerUrl,
    log: commandLog(settings),
    now,
    mail: { send: noMail },
    maxConnections: 2,
  })
}

export const migrate: Command = {
  options: {},
  positionals: 0,
  async run({ env, io }) {
    const applied = await withDatabase(settingsOf(env, io), ({ url, ownerUrl }) =>
      migrateSchema(ownerUrl, undefined, { servingUrl: url }),
    )
    for (const name of applied) io.out(`applied ${name}`)
    if (applied.length === 0) io.out('The schema is up to date.')
    return 0
  },
}

function embeddedOnly({ env, io, positionals }: Invocation, verb: string) {
  const settings = settingsOf(env, io)
  if (settings.databaseUrl)
    throw new UsageError(
      `DATABASE_URL is set: ${verb} that PostgreSQL with its own tools (pg_dump, pg_restore)`,
    )
  const [folder = ''] = positionals
  return { dataDir: resolve(settings.dataDir), folder: resolve(folder), log: commandLog(settings) }
}

export const backup: Command = {
  options: { 'with-secret-key': { type: 'boolean' } },
  positionals: 1,
  async run(invocation) {
    const { dataDir, folder, log } = embeddedOnly(invocation, 'back up')
    const withKeys = invocation.options['with-secret-key'] === true
    const keys = withKeys ? await requireGeneratedKeys(dataDir) : undefined
    await backupEmbedded({ dataDir, backupDir: folder, log })
    if (keys) await writeGeneratedKeys(folder, keys)
    invocation.io.out(`The backup is in ${folder}`)
    return 0
  },
}

export const restore: Command = {
  options: {},
  positionals: 1,
  async run(invocation) {
    const { dataDir, folder } = embeddedOnly(invocation, 'restore')
    await requireNoOtherKey(folder, dataDir)
    await restoreEmbedded({ backupDir: folder, dataDir })
    const restored = await restoreGeneratedKeys(folder, dataDir)
    invocation.io.out(`The backup was restored into ${dataDir}`)
    if (!restored.includes('SECRET_KEY'))
      invocation.io.out('It contains no secret key: users have to sign in again')
    if (!restored.includes('CREDENTIAL_ENCRYPTION_KEY'))
      invocation.io.out(
        'It contains no credential key: stored credentials need the CREDENTIAL_ENCRYPTION_KEY of before',
      )
    return 0
  },
}
