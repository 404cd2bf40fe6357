import { sql } from 'kysely'
import { type Message, textOf } from '../../../kernel/messages.ts'
import type { CommandAction } from '../../../kernel/ocpp.ts'
import { type JsonText, toJson } from '../../../platform/db/json-columns.ts'
import { readPage } from '../../../platform/db/list.ts'
import type { SystemDb, TenantDb, TenantTx } from '../../../platform/db/tenant.ts'
import { selectRows, updateRows } from '../../../platform/db/tenant-rows.ts'
import { COMMAND_ANSWER_MAX_MS, COMMAND_REASON_MAX_LENGTH, COMMAND_SWEEP_ROWS } from '../limits.ts'
import type { CommandQuery } from './schema.ts'
import type { CommandState } from './states.ts'

declare module '../../../platform/db/json-columns.ts' {
  interface JsonColumns {
    /** Of the action; the module that enqueues the command declares it. */
    'charger_command.request': object
    'charger_command.answer': unknown
    'charger_command.error_content': Message
  }
}

/**
 * SQL: why a command was not accepted, in a word: the reason code or status of the station, the code of its OCPP
 * error, or a word of the service. The whole response is in `answer`, the whole text in `error`.
 */
const reason = sql<string | null>`left(case state
  when 'rejected' then coalesce(answer #>> '{statusInfo,reasonCode}', answer ->> 'status', 'rejected')
  when 'failed' then split_part(error, ':', 1)
  when 'timed_out' then 'no_answer'
  when 'expired' then 'not_delivered'
  when 'cancelled' then error
end, ${COMMAND_REASON_MAX_LENGTH}::int)`

/** A word or text of the station, a code of the service, or a message of the service. */
export type CommandError = string | Message

/** SQL: the error of a command. */
const commandError = sql<CommandError | null>`coalesce(error_content, to_jsonb(error))`

const columns = [
  ...(['id', 'charger_id', 'request', 'answer', 'requested_by'] as const),
  commandError.as('error'),
  reason.as('reason'),
  ...(['created_at', 'sent_at', 'ended_at', 'expires_at'] as const),
  sql<CommandAction>`action`.as('action'),
  sql<CommandState>`state`.as('state'),
  sql<number>`seq::float8`.as('number'),
] as const

const commands = (tenant: TenantDb) => selectRows(tenant, 'charger_command').select(columns)

export const findCommand = (tenant: TenantDb, id: string) =>
  commands(tenant).where('id', '=', id).executeTakeFirst()
export type CommandRow = NonNullable<Awaited<ReturnType<typeof findCommand>>>

export function list(tenant: TenantDb, chargerId: string, query: CommandQuery) {
  let rows = commands(tenant).where('charger_id', '=', chargerId)
  if (query.action !== undefined) rows = rows.where('action', '=', query.action)
  if (query.state !== undefined) rows = rows.where('state', '=', query.state)
  return readPage(rows, query)
}

interface NewCommand {
  readonly chargerId: string
  readonly action: CommandAction
  readonly request: object
  readonly requestedBy: string | null
  readonly createdAt: Date
  readonly expiresAt: Date
}

export async function create(tx: TenantTx, command: NewCommand): Promise<CommandRow> {
  const { db, tenantId } = tx
  // The columns of a command are not immutable, and a distributed database refuses them in RETURNING.
  const { id } = await db
    .insertInto('charger_command')
    .values({
      tenant_id: tenantId,
      charger_id: command.chargerId,
      action: command.action,
      request: toJson(command.request),
      requested_by: command.requestedBy,
      created_at: command.createdAt,
      expires_at: command.expiresAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return commands(tx).where('id', '=', id).executeTakeFirstOrThrow()
}

export async function countOpen(tenant: TenantDb, chargerId: string): Promise<number> {
  const { count } = await selectRows(tenant, 'charger_command')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('charger_id', '=', chargerId)
    .where('state', 'in', ['pending', 'sent'])
    .executeTakeFirstOrThrow()
  return count
}

/** Locks the oldest open command of a charger: the one to be sent, or the one whose response is awaited. */
export const lockOldestOpen = (tx: TenantTx, chargerId: string) =>
  commands(tx)
    .where('charger_id', '=', chargerId)
    .where('state', 'in', ['pending', 'sent'])
    .orderBy('seq')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()

/** Locks the open commands of a charger, or those of one action. */
export const lockOpen = (tx: TenantTx, chargerId: string, action?: CommandAction) =>
  commands(tx)
    .where('charger_id', '=', chargerId)
    .where('state', 'in', ['pending', 'sent'])
    .$if(action !== undefined, (rows) => rows.where('action', '=', action ?? ''))
    .orderBy('seq')
    .forUpdate()
    .execute()

/** Whether a command of this action was sent and is not answered; locks the open ones. */
export const hasSentCommand = async (
  tx: TenantTx,
  chargerId: string,
  action: CommandAction,
): Promise<boolean> => (await lockOpen(tx, chargerId, action)).some(({ state }) => state === 'sent')

export const lock = (tx: TenantTx, id: string) =>
  commands(tx).where('id', '=', id).forUpdate().executeTakeFirst()

interface Change {
  readonly state: CommandState
  readonly sent_at?: Date
  readonly ended_at?: Date
  readonly answer?: JsonText<unknown>
  readonly error?: CommandError | undefined
  readonly request?: JsonText<object>
}

const errorColumns = (error: CommandError) =>
  typeof error === 'string' ? { error } : { error: textOf(error), error_content: toJson(error) }

export async function update(tx: TenantTx, id: string, { error, ...set }: Change): Promise<CommandRow> {
  await updateRows(tx, 'charger_command')
    .set({ ...set, ...(error !== undefined && errorColumns(error)) })
    .where('id', '=', id)
    .execute()
  return commands(tx).where('id', '=', id).executeTakeFirstOrThrow()
}

export interface ChargerKey {
  readonly tenantId: number
  readonly chargerId: string
}

/** The ids of those chargers that have open commands. */
export async function listWithOpen(
  { db }: SystemDb,
  chargers: readonly ChargerKey[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ charger_id: string }>`
    select distinct c.charger_id from charger_command c
    join unnest(
      ${chargers.map(({ tenantId }) => tenantId)}::integer[], ${chargers.map(({ chargerId }) => chargerId)}::uuid[])
      as h (tenant_id, charger_id) on c.tenant_id = h.tenant_id and c.charger_id = h.charger_id
    where c.state in ('pending', 'sent')`.execute(db)
  return new Set(rows.map((row) => row.charger_id))
}

/** Open commands that will not be sent or answered any more. */
export const listOverdue = (tenant: TenantDb, now: Date) =>
  selectRows(tenant, 'charger_command')
    .select('id')
    .where((eb) =>
      eb.or([
        eb.and([eb('state', '=', 'pending'), eb('expires_at', '<=', now)]),
        eb.and([
          eb('state', '=', 'sent'),
          eb('sent_at', '<=', new Date(now.getTime() - COMMAND_ANSWER_MAX_MS)),
        ]),
      ]),
    )
    .orderBy('seq')
    .limit(COMMAND_SWEEP_ROWS)
    .execute()

export async function listSentIds(tenant: TenantDb, chargerId: string): Promise<string[]> {
  const rows = await selectRows(tenant, 'charger_command')
    .select('id')
    .where('charger_id', '=', chargerId)
    .where('state', '=', 'sent')
    .execute()
  return rows.map((row) => row.id)
}

export const isCurrentConnection = async (tenant: TenantDb, charger: string, connection: string) =>
  (await selectRows(tenant, 'charger')
    .select('id')
    .where('id', '=', charger)
    .where('connection_id', '=', connection)
    .executeTakeFirst()) !== undefined

/**
 * The devices that a command may start: those of the connector and of the station, or all where it names no
 * connector.
 */
export async function devicesOf(
  { db, tenantId }: TenantDb,
  chargerId: string,
  connectorId: number | undefined,
): Promise<string[]> {
  const { rows } = await sql<{ device_id: string }>`
    select device_id from charger where (tenant_id, id) = (${tenantId}, ${chargerId}::uuid)
    union
    select device_id from charger_connector where (tenant_id, charger_id) = (${tenantId}, ${chargerId}::uuid)
      and coalesce(connector_id = ${connectorId ?? null}::integer, true)`.execute(db)
  return rows.map((row) => row.device_id)
}
