/**
 * Recorded meter changes: the end of an old register and the beginning of the new one.
 *
 * A record makes the energy over a replacement exact (`core/netting/counter/meter-changes.ts`). The transaction of a
 * record, a correction or a void queues the hourly facts concerned to be derived again and marks the roll-ups; changed
 * facts make calculated months stale. A record is never deleted: a correction keeps the values that it replaces, and a
 * voided record stays without effect.
 */
import { decimalText, parseKwh } from '../../../../kernel/decimal.ts'
import { conflict, found, invalidReference, unprocessable } from '../../../../kernel/errors.ts'
import { isRegister } from '../../../../kernel/metrics.ts'
import { floorHour } from '../../../../kernel/time.ts'
import type { Warning } from '../../../../kernel/warnings.ts'
import { lockResource } from '../../../../platform/db/locks.ts'
import { requireReferences } from '../../../../platform/db/references.ts'
import type { TenantDb, TenantTx } from '../../../../platform/db/tenant.ts'
import {
  affectedHours,
  METER_CHANGES_MAX,
  markRollups,
  readAround,
} from '../../../metering/meter-changes/index.ts'
import { assertNotSealed } from '../../../metering/storage/index.ts'
import { queueRebuilds } from '../../hourly-energy/index.ts'
import { type Actor, decodeFields, isoInstantOf, type WriteContext } from '../../shared/index.ts'
import { checkAgainstReadings, checkValues } from './checks.ts'
import { METER_CHANGE_TEXTS as TEXTS } from './messages.ts'
import type { CorrectMeterChange, CreateMeterChange } from './schema.ts'
import * as store from './store.ts'

const decoders = { changed_at: isoInstantOf, old_end_kwh: decimalText, new_start_kwh: decimalText }
const INSTALLATION_REGISTERS = ['import_active_energy', 'export_active_energy']

/** A written record, the facilities whose facts are to be derived again, and warnings. */
export interface WrittenChange {
  readonly change: store.MeterChangeRow
  readonly facilityIds: readonly string[]
  readonly warnings: readonly Warning[]
}

export async function readMeterChange(tenant: TenantDb, id: string) {
  const change = found('meter change', await store.find(tenant, id))
  return { ...change, revisions: await store.listRevisions(tenant, id) }
}

/** The record in force of the same meter, register and instant. */
export const findMeterChange = (tenant: TenantDb, body: CreateMeterChange) =>
  store.findSame(
    tenant,
    { deviceId: body.device_id ?? null, installationId: body.osos_installation_id ?? null },
    { register: body.register, changedAt: isoInstantOf(body.changed_at) },
  )

/** Records a meter change. With `history` the record names its origin. */
export async function recordMeterChange(
  tx: TenantTx,
  body: CreateMeterChange,
  { by, at, history }: WriteContext,
): Promise<WrittenChange> {
  const values = decodeFields(body, decoders)
  const { device_id: deviceId = null, osos_installation_id: installationId = null, register } = values
  if ((deviceId === null) === (installationId === null)) {
    throw unprocessable('BUSINESS_RULE_VIOLATION', TEXTS.METER_CHANGE_ONE_METER(), { field: 'device_id' })
  }
  if (installationId !== null && !INSTALLATION_REGISTERS.includes(register)) {
    const text = TEXTS.METER_CHANGE_REGISTER_OF_INSTALLATION({ registers: INSTALLATION_REGISTERS })
    throw unprocessable('BUSINESS_RULE_VIOLATION', text, { field: 'register' })
  }
  await requireReferences(tx, [['osos_installation_id', 'osos_installation', installationId]])
  const meter = { deviceId, installationId }
  await lockMeter(tx, meter)
  if ((await store.listOfMeter(tx, meter, METER_CHANGES_MAX)).length >= METER_CHANGES_MAX) {
    throw unprocessable('BUSINESS_RULE_VIOLATION', TEXTS.METER_CHANGES_TOO_MANY({ max: METER_CHANGES_MAX }))
  }
  const created = await store.create(tx, values, { by, at, origin: history?.origin ?? null })
  return written(tx, created, { before: undefined, after: created, at })
}

/** Corrects a record and keeps the values that it replaces. A correction without a change is not stored. */
export async function correctMeterChange(
  tx: TenantTx,
  id: string,
  { reason, ...body }: CorrectMeterChange,
  { by, at }: Actor,
): Promise<WrittenChange> {
  const before = await lockChange(tx, id)
  const set = store.correctedFields(decodeFields(body, decoders))
  if (!isChanged(before, set)) return { change: before, facilityIds: [], warnings: [] }
  const after = await store.correct(tx, { before, set, reason }, { by, at })
  return written(tx, after, { before, after, at })
}

/** Voids a record: it stays, and has no effect any more. */
export async function voidMeterChange(
  tx: TenantTx,
  id: string,
  { reason, by, at }: Actor & { readonly reason: string },
): Promise<WrittenChange> {
  const before = await lockChange(tx, id)
  const voided = await store.voidChange(tx, id, { reason, by, at })
  return written(tx, voided, { before, after: undefined, at })
}

const meterOf = (row: store.MeterChangeRow): store.Meter => ({
  deviceId: row.device_id,
  installationId: row.osos_installation_id,
})

/** Serializes the changes of a meter, which are checked against each other. */
const lockMeter = (tx: TenantTx, { deviceId, installationId }: store.Meter): Promise<void> =>
  lockResource(tx, `meter changes ${tx.tenantId} ${deviceId ?? installationId}`.toLowerCase())

async function lockChange(tx: TenantTx, id: string): Promise<store.MeterChangeRow> {
  await lockMeter(tx, meterOf(found('meter change', await store.find(tx, id))))
  const change = found('meter change', await store.find(tx, id))
  if (change.voided_at !== null) throw conflict('METER_CHANGE_VOIDED', TEXTS.METER_CHANGE_VOIDED())
  return change
}

const isChanged = (before: store.MeterChangeRow, set: store.CorrectedFields): boolean =>
  (set.changed_at !== undefined && Date.parse(set.changed_at) !== before.changed_at.getTime()) ||
  KWH_FIELDS.some((field) => set[field] !== undefined && parseKwh(set[field]) !== parseKwh(before[field])) ||
  TEXT_FIELDS.some((field) => set[field] !== undefined && set[field] !== before[field])
const KWH_FIELDS = ['old_end_kwh', 'new_start_kwh'] as const
const TEXT_FIELDS = ['old_serial_no', 'new_serial_no', 'note'] as const

interface Change {
  /** The record before; undefined for a new one. */
  readonly before: store.MeterChangeRow | undefined
  /** The record in force after the write; undefined for a voided one. */
  readonly after: store.MeterChangeRow | undefined
  readonly at: number
}

async function written(tx: TenantTx, row: store.MeterChangeRow, change: Change): Promise<WrittenChange> {
  const { deviceId, installationId } = meterOf(row)
  if (change.after) checkValues(valuesOf(change.after), change.at)
  if (installationId !== null) {
    await checkOthers(tx, change.after)
    return { change: row, facilityIds: [], warnings: await importWarnings(tx, row, installationId) }
  }
  const deviceKey = deviceId === null ? undefined : await store.findDeviceKey(tx, deviceId)
  if (deviceId === null || deviceKey === undefined) throw invalidReference('device_id')
  const facilityIds = await applyToDevice(tx, { deviceId, deviceKey }, change)
  return { change: row, facilityIds, warnings: [] }
}

const valuesOf = (row: store.MeterChangeRow) => ({
  at: row.changed_at.getTime(),
  oldEndKwh: row.old_end_kwh,
  newStartKwh: row.new_start_kwh,
})

const NO_READINGS = { before: [], after: [] }

async function checkOthers(
  tx: TenantTx,
  after: store.MeterChangeRow | undefined,
  readings: Parameters<typeof checkAgainstReadings>[1] = NO_READINGS,
): Promise<void> {
  if (!after) return
  const all = await store.listOfMeter(tx, meterOf(after), METER_CHANGES_MAX)
  const others = all.filter((one) => one.id !== after.id && one.register === after.register)
  checkAgainstReadings(valuesOf(after), readings, others)
}

/** Queues the facts and marks the roll-ups around the change, at its time before and after a correction. */
async function applyToDevice(
  tx: TenantTx,
  { deviceId, deviceKey }: { readonly deviceId: string; readonly deviceKey: number },
  { before, after, at }: Change,
): Promise<string[]> {
  const facilityIds = new Set<string>()
  const times = new Map([before, after].flatMap((row) => (row ? [[row.changed_at.getTime(), row]] : [])))
  for (const [changedAt, row] of times) {
    if (!isRegister(row.register)) continue
    const around = await readAround(tx, deviceKey, { register: row.register, at: changedAt })
    if (row.changed_at.getTime() === after?.changed_at.getTime()) await checkOthers(tx, after, around)
    const range = affectedHours(changedAt, around)
    const measured = await store.facilitiesOfDevice(tx, deviceId, range)
    const queued = await queueRebuilds(tx, { facilityIds: measured, range, now: at })
    for (const hours of queued.values()) await assertNotSealed(tx, hours)
    for (const id of queued.keys()) facilityIds.add(id)
    await markRollups(tx, deviceKey, range)
  }
  return [...facilityIds]
}

/** The hours of an installation are stored as they were imported, so they do not follow a change of the record. */
async function importWarnings(
  tx: TenantTx,
  row: store.MeterChangeRow,
  installationId: string,
): Promise<Warning[]> {
  const hour = floorHour(row.changed_at.getTime())
  if (!(await store.hasHoursFrom(tx, installationId, hour))) return []
  const message = TEXTS.METER_CHANGE_IMPORT_AGAIN()
  return [{ code: 'METER_CHANGE_IMPORT_AGAIN', subject: installationId, message }]
}
