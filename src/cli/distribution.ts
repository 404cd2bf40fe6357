import { distributeUrl } from '../platform/db/distribution/distribute.ts'
import { SHARDS_DEFAULT, SHARDS_MAX } from '../platform/db/distribution/limits.ts'
import { placeTenant } from '../platform/db/distribution/place.ts'
import { type Command, type Invocation, optionalText, UsageError } from './command.ts'
import { withDatabase } from './database.ts'
import { settingsOf } from './settings.ts'

function shardsOf(invocation: Invocation): number {
  const text = optionalText(invocation, 'shards')
  if (text === undefined) return SHARDS_DEFAULT
  const shards = Number(text)
  if (!/^\d{1,4}$/.test(text) || shards < 1 || shards > SHARDS_MAX)
    throw new UsageError(`--shards: "${text}" is not a number from 1 to ${SHARDS_MAX}`)
  return shards
}

export const dbDistribute: Command = {
  options: { shards: { type: 'string' }, check: { type: 'boolean' } },
  positionals: 0,
  async run(invocation) {
    const { env, io, options } = invocation
    const isCheck = options['check'] === true
    const shards = shardsOf(invocation)
    const steps = await withDatabase(settingsOf(env, io), ({ ownerUrl }) =>
      distributeUrl(ownerUrl, { shards, isCheck }),
    )
    if (steps.length === 0) {
      io.out('The database is distributed.')
      return 0
    }
    if (!isCheck) {
      io.out(`The database is distributed now, by ${steps.length} statements.`)
      return 0
    }
    for (const step of steps) io.out(`${step};`)
    return 1
  },
}

export const tenantPlace: Command = {
  options: { node: { type: 'string' } },
  positionals: 1,
  async run(invocation) {
    const { env, io, positionals } = invocation
    const [slug = ''] = positionals
    const node = optionalText(invocation, 'node')
    const placed = await withDatabase(settingsOf(env, io), ({ ownerUrl }) =>
      placeTenant(ownerUrl, slug, node),
    )
    const shards = placed.isIsolated ? 'has shards of its own now' : 'had shards of its own already'
    io.out(`${slug} ${shards}; they are ${placed.isMoved ? 'now ' : ''}on ${placed.node}.`)
    return 0
  },
}
