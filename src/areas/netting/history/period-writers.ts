import { createDevice } from '../../equipment/devices/index.ts'
import { addInstallation, CreateInstallation } from '../osos/index.ts'
import {
  AddMember,
  addMember,
  assignMeter,
  CreateAssignment,
  CreateLimitAccount,
  CreateMeteringPoint,
  createLimitAccount,
  createMeteringPoint,
} from '../registry/index.ts'
import { HISTORY_TEXTS as TEXTS } from './messages.ts'
import * as records from './record-store.ts'
import type { HistoryRow } from './rows.ts'
import {
  bodyCheck,
  missing,
  present,
  RowFault,
  requiredReference,
  requiredText,
  requireSame,
  textOf,
  type Writing,
  type Written,
} from './writing.ts'

const pointBody = bodyCheck<CreateMeteringPoint>(CreateMeteringPoint)
const assignmentBody = bodyCheck<CreateAssignment>(CreateAssignment)
const installationBody = bodyCheck<CreateInstallation>(CreateInstallation)
const memberBody = bodyCheck<AddMember>(AddMember)
const accountBody = bodyCheck<CreateLimitAccount>(CreateLimitAccount)

const FACILITY = { column: 'facility', kind: 'facilities' } as const

/**
 * A row of meters is a metering point, with a device that measures it, an OSOS installation that reads it, or
 * both. Device and installation are created when they do not exist.
 */
export async function writeMeter(writing: Writing, row: HistoryRow): Promise<Written> {
  const facilityId = await requiredReference(writing, row, FACILITY)
  const installation = await writeInstallation(writing, row, facilityId)
  const point = await writePoint(writing, row, { facilityId, installationId: installation?.id })
  const assignment = await writeAssignment(writing, row, { facilityId, pointId: point.id })
  const isNew = [installation, point, assignment].some((written) => written?.result === 'created')
  return { id: assignment?.id ?? point.id, result: isNew ? 'created' : 'unchanged' }
}

/**
 * The metering point of the row says from when to when the installation measures at the facility. An installation
 * without a facility of its own measures nowhere else, so the installations of a changed meter do not overlap.
 */
async function writeInstallation(
  { tx, context }: Writing,
  row: HistoryRow,
  facilityId: string,
): Promise<Written | undefined> {
  const installationNo = textOf(row, 'installation_no')
  if (installationNo === undefined) {
    // A register of a device counts in kWh: only an installation has a multiplier.
    if (Number(textOf(row, 'multiplier') ?? 1) !== 1) throw missing('installation_no')
    return undefined
  }
  const body = installationBody(
    present({
      installation_no: installationNo,
      measurement_role: requiredText(row, 'measurement_role'),
      multiplier: textOf(row, 'multiplier'),
    }) as CreateInstallation,
  )
  const existing = await records.findInstallation(tx, installationNo)
  if (!existing) return { id: (await addInstallation(tx, body, context.at)).id, result: 'created' }
  requireSame(existing, { ...body, ...(existing.facility_id !== null && { facility_id: facilityId }) })
  return { id: existing.id, result: 'unchanged' }
}

async function writePoint(
  { tx, context }: Writing,
  row: HistoryRow,
  { facilityId, installationId }: { facilityId: string; installationId: string | undefined },
): Promise<Written> {
  const meterNo = requiredText(row, 'meter_no')
  const existing = await records.findPoint(tx, facilityId, meterNo)
  if (existing) {
    requireSame(existing, { osos_installation_id: installationId, ...periodOfPoint(row) })
    return { id: existing.id, result: 'unchanged' }
  }
  const body = pointBody(
    present({
      meter_no: meterNo,
      valid_from: requiredText(row, 'valid_from'),
      valid_to: textOf(row, 'valid_to'),
      osos_installation_id: installationId,
    }) as CreateMeteringPoint,
  )
  return { id: (await createMeteringPoint(tx, facilityId, body, context)).id, result: 'created' }
}

/**
 * The period of a row that is one of the metering point. The rows of a meter that several devices measured one after
 * the other have the periods of the assignments.
 */
function periodOfPoint(row: HistoryRow): Readonly<Record<string, string | undefined>> {
  const isOfAssignment = textOf(row, 'device') !== undefined && textOf(row, 'installation_no') === undefined
  if (isOfAssignment) return {}
  return { valid_from: textOf(row, 'valid_from'), valid_to: textOf(row, 'valid_to') }
}

async function deviceOf({ tx }: Writing, name: string): Promise<string> {
  const [found, second] = await records.devicesNamed(tx, name)
  if (second) throw new RowFault('device', TEXTS.HISTORY_REFERENCE_AMBIGUOUS({ column: 'device', name }))
  return (
    found?.id ??
    createDevice(tx, { name, device_type: 'energy_analyzer', device_role: 'meter', device_source: 'virtual' })
  )
}

async function writeAssignment(
  writing: Writing,
  row: HistoryRow,
  { facilityId, pointId }: { facilityId: string; pointId: string },
): Promise<Written | undefined> {
  const { tx, context } = writing
  const name = textOf(row, 'device')
  if (name === undefined) return undefined
  const device_id = await deviceOf(writing, name)
  const role = requiredText(row, 'measurement_role')
  const validFrom = requiredText(row, 'valid_from')
  const key = { facilityId, deviceId: device_id, role, validFrom }
  const existing = await records.findAssignment(tx, key)
  if (existing) {
    requireSame(existing, { metering_point_id: pointId, valid_to: textOf(row, 'valid_to') })
    return { id: existing.id, result: 'unchanged' }
  }
  const { subregion_id } = await records.findFacility(tx, facilityId)
  const body = assignmentBody(
    present({
      subregion_id,
      device_id,
      facility_id: facilityId,
      metering_point_id: pointId,
      measurement_role: role,
      valid_from: validFrom,
      valid_to: textOf(row, 'valid_to'),
    }) as CreateAssignment,
  )
  return { id: (await assignMeter(tx, body, context)).id, result: 'created' }
}

export async function writeMember(writing: Writing, row: HistoryRow): Promise<Written> {
  const { tx, context } = writing
  const groupId = await requiredReference(writing, row, { column: 'group', kind: 'groups' })
  const facilityId = await requiredReference(writing, row, FACILITY)
  const { group: _group, facility: _facility, ...values } = row.values
  const body = memberBody({ ...values, facility_id: facilityId } as unknown as AddMember)
  const existing = await records.findMember(tx, { groupId, facilityId, validFrom: body.valid_from })
  if (existing) {
    requireSame(existing, body)
    return { id: existing.id, result: 'unchanged' }
  }
  return { id: (await addMember(tx, groupId, body, context)).id, result: 'created' }
}

export async function writeAccount(writing: Writing, row: HistoryRow): Promise<Written> {
  const { tx, context } = writing
  const facilityId = await requiredReference(writing, row, FACILITY)
  const { facility: _facility, ...values } = row.values
  const body = accountBody({ ...values, facility_id: facilityId } as unknown as CreateLimitAccount)
  const existing = await records.findAccount(tx, facilityId, body.year)
  if (existing) {
    requireSame(existing, body)
    return { id: existing.id, result: 'unchanged' }
  }
  return { id: (await createLimitAccount(tx, body, context)).id, result: 'created' }
}
