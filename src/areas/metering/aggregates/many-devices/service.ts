import { HOUR_MS, type Range } from '../../../../kernel/time.ts'
import type { ReadDatabase } from '../../../../platform/db/replica-reads.ts'
import { invalidInput } from '../../../../platform/http/validation.ts'
import { METERING_TEXTS } from '../../messages.ts'
import { type DeviceOfPage, readDevicePage } from '../bucket-store.ts'
import { readEnergyBulk } from '../bulk-reads/energy.ts'
import { rangeOf } from '../service.ts'
import { type HourTable, SETTLED_HOURS } from './hour-table.ts'
import { HoursJson } from './hours-json.ts'
import { HOURS_CELLS_MAX } from './limits.ts'
import type { HoursQuery } from './schema.ts'
import { readHourTable } from './store.ts'

interface HoursRequest extends HoursQuery {
  readonly tenantId: number
  readonly now: number
}

/**
 * Reads the energy of many devices by the hour: the devices, then their rolled-up hours in one statement. Hours that
 * samples may have changed since the roll-up are read as for a single device, with a constant number of statements.
 */
export async function readHours(database: ReadDatabase, request: HoursRequest): Promise<HoursJson> {
  const { tenantId, variant, gateway_id: gatewayId, skip, limit, now } = request
  const range = rangeOf({ ...request, interval: 'hourly' })
  const hours = (range.to - range.from) / HOUR_MS
  if (hours * limit > HOURS_CELLS_MAX)
    throw invalidInput(
      ['query', 'limit'],
      METERING_TEXTS.HOURS_TOO_MANY({ max: HOURS_CELLS_MAX, limit: Math.floor(HOURS_CELLS_MAX / hours) }),
    )
  const { devices, total } = await readDevicePage(database.pool, tenantId, { gatewayId, skip, limit })
  const table = await readHourTable(database, {
    tenantId,
    deviceKeys: devices.map(({ deviceKey }) => deviceKey),
    variant,
    range,
    settledFrom: devices.reduce((first, device) => Math.min(first, settledEnd(device, range)), range.to),
  })
  await replaceUnsettled(database, { tenantId, devices, table, range })
  return new HoursJson({ devices, table, range, variant, total, skip, limit, now })
}

/** The hours of a device before this one are final if SETTLED_HOURS after it have readings, and nothing is marked. */
const settledEnd = ({ rolledTo, marks }: DeviceOfPage, { from, to }: Range): number =>
  marks.length > 0 || rolledTo === undefined
    ? from
    : Math.max(from, Math.min(to, rolledTo - (SETTLED_HOURS + 1) * HOUR_MS))

interface UnsettledInput {
  readonly tenantId: number
  readonly devices: readonly DeviceOfPage[]
  readonly table: HourTable
  readonly range: Range
}

async function replaceUnsettled(
  { pool }: ReadDatabase,
  { tenantId, devices, table, range }: UnsettledInput,
): Promise<void> {
  const unsettled = devices.flatMap((device, row) => {
    const end = settledEnd(device, range)
    const from = end > range.from && table.isSettledAt(row, end, device.registers) ? end : range.from
    return from < range.to ? [{ row, deviceId: device.id, range: { from, to: range.to } }] : []
  })
  if (unsettled.length === 0) return
  const requests = unsettled.map(({ deviceId, range }) => ({ deviceId, range, interval: 'hourly' as const }))
  const results = await readEnergyBulk(pool, tenantId, requests)
  for (const [index, { row, range }] of unsettled.entries())
    table.replaceFrom(row, range.from, results[index]?.buckets ?? [])
}
