import { CreateMeterChange, findMeterChange, recordMeterChange } from '../registry/index.ts'
import { HISTORY_TEXTS as TEXTS } from './messages.ts'
import * as records from './record-store.ts'
import type { HistoryRow } from './rows.ts'
import {
  bodyCheck,
  FaultyReference,
  nameKey,
  present,
  RowFault,
  requiredReference,
  requiredText,
  requireSame,
  textOf,
  type Writing,
  type Written,
} from './writing.ts'

const changeBody = bodyCheck<CreateMeterChange>(CreateMeterChange)
const INSTALLATION_REGISTERS = ['import_active_energy', 'export_active_energy']

/**
 * A row of meter_changes is recorded for the device that measures the metering point at that time, for the OSOS
 * installation that reads it, or for both.
 */
export async function writeMeterChange(writing: Writing, row: HistoryRow): Promise<Written> {
  const register = requiredText(row, 'register')
  const { deviceId, installationId } = await meterOf(writing, row)
  const written: Written[] = []
  if (deviceId !== null) written.push(await writeFor(writing, row, { device_id: deviceId }))
  if (installationId !== null && INSTALLATION_REGISTERS.includes(register)) {
    written.push(await writeFor(writing, row, { osos_installation_id: installationId }))
  }
  const [first] = written
  if (!first) {
    const content = TEXTS.HISTORY_METER_NOT_READ({ meter_no: requiredText(row, 'meter_no') })
    throw new RowFault('meter_no', content)
  }
  const isNew = written.some(({ result }) => result === 'created')
  return { id: first.id, result: isNew ? 'created' : 'unchanged' }
}

interface MeterOfRow {
  readonly deviceId: string | null
  readonly installationId: string | null
}

async function meterOf(writing: Writing, row: HistoryRow): Promise<MeterOfRow> {
  const { tx, faultyNames } = writing
  const facilityId = await requiredReference(writing, row, { column: 'facility', kind: 'facilities' })
  const meterNo = requiredText(row, 'meter_no')
  const point = await records.findPoint(tx, facilityId, meterNo)
  if (!point) {
    if (faultyNames.has(nameKey('meters', meterNo))) throw new FaultyReference()
    const content = TEXTS.HISTORY_REFERENCE_UNKNOWN({ column: 'meter_no', name: meterNo })
    throw new RowFault('meter_no', content)
  }
  const device = await records.findDeviceOfPoint(tx, point.id, requiredText(row, 'changed_at'))
  return { deviceId: device?.device_id ?? null, installationId: point.osos_installation_id }
}

async function writeFor(
  { tx, context }: Writing,
  row: HistoryRow,
  meter: { readonly device_id: string } | { readonly osos_installation_id: string },
): Promise<Written> {
  const body = changeBody(
    present({
      ...meter,
      register: requiredText(row, 'register'),
      changed_at: requiredText(row, 'changed_at'),
      old_end_kwh: requiredText(row, 'old_end_kwh'),
      new_start_kwh: requiredText(row, 'new_start_kwh'),
      old_serial_no: textOf(row, 'old_serial_no'),
      new_serial_no: textOf(row, 'new_serial_no'),
      note: textOf(row, 'note'),
    }) as CreateMeterChange,
  )
  const existing = await findMeterChange(tx, body)
  if (existing) {
    requireSame(existing, body)
    return { id: existing.id, result: 'unchanged' }
  }
  return { id: (await recordMeterChange(tx, body, context)).change.id, result: 'created' }
}
