import { decimalText } from '../../../kernel/decimal.ts'
import { found, unprocessable } from '../../../kernel/errors.ts'
import { type Language, type Message, textOf } from '../../../kernel/messages.ts'
import { requireReferences } from '../../../platform/db/references.ts'
import { type TenantTx, tenantDb } from '../../../platform/db/tenant.ts'
import type { Deps } from '../../../platform/runtime/deps.ts'
import {
  facilitiesOfMeters,
  moveOfficialMeterFacts,
  prepareMeterMove,
  queueRoleChanges,
  rebuildAfterChange,
} from '../hourly-energy/index.ts'
import { hourOfText } from '../shared/index.ts'
import { parseMillionths, type SentHour } from './energy.ts'
import { INSTALLATION_TEXTS, READING_TEXTS } from './messages.ts'
import { type Delivery, recordReadings } from './record.ts'
import { reportOf } from './report.ts'
import type { CreateInstallation, PostReadings, ReadingsReport, UpdateInstallation } from './schema.ts'
import * as installations from './store.ts'

type OsosDeps = Pick<Deps, 'clock' | 'database' | 'log'>
type InTx = Delivery['inTx']

async function checkReferences(tx: TenantTx, body: UpdateInstallation): Promise<void> {
  const { facility_id: facilityId, distribution_company_id: companyId } = body
  await requireReferences(tx, [
    ['facility_id', 'facility', facilityId],
    ['distribution_company_id', 'organization', companyId],
  ])
  if (!companyId) return
  const type = await installations.organizationType(tx, companyId)
  if (type !== 'distribution_company') {
    const text = INSTALLATION_TEXTS.ORGANIZATION_NOT_DISTRIBUTION_COMPANY({ org_type: type ?? null })
    throw unprocessable('BUSINESS_RULE_VIOLATION', text, { field: 'distribution_company_id' })
  }
}

interface Tenancy {
  readonly tenantId: number
  readonly inTx: InTx
}

/** An installation puts a role in force at its facility, which the facts of all its meters follow. */
export async function createInstallation(
  deps: OsosDeps,
  { tenantId, inTx }: Tenancy,
  body: CreateInstallation,
) {
  const created = await inTx((tx) => addInstallation(tx, body, deps.clock.now()))
  await rebuildFacilities(deps, tenantId, [created.facility_id])
  return created
}

/** Creates an installation in a transaction; the facts of its facility are queued and built after the commit. */
export async function addInstallation(tx: TenantTx, body: CreateInstallation, now: number) {
  await checkReferences(tx, body)
  const facilityIds = body.facility_id ? [body.facility_id] : []
  return queueRoleChanges(tx, { facilityIds, now }, () => installations.create(tx, body))
}

export async function deleteInstallation(
  deps: OsosDeps,
  { tenantId, inTx }: Tenancy,
  id: string,
): Promise<void> {
  const { facility_id: facilityId } = await inTx(async (tx) => {
    const before = found('installation', await installations.lock(tx, id))
    const facilityIds = before.facility_id === null ? [] : [before.facility_id]
    await queueRoleChanges(tx, { facilityIds, now: deps.clock.now() }, () => installations.remove(tx, id))
    return before
  })
  await rebuildFacilities(deps, tenantId, [facilityId])
}

const rebuildFacilities = (deps: OsosDeps, tenantId: number, ids: readonly (string | null)[]) =>
  rebuildAfterChange(
    deps,
    tenantId,
    ids.flatMap((id) => id ?? []),
  )

export interface InstallationChange {
  readonly tenantId: number
  readonly id: string
  readonly body: UpdateInstallation
  readonly inTx: InTx
}

/**
 * A partial update. When the location (facility or metering point) or the role of the installation changes,
 * its facts move in the same transaction.
 */
export async function updateInstallation(deps: OsosDeps, { tenantId, id, body, inTx }: InstallationChange) {
  const movesFacts = body.facility_id !== undefined || body.measurement_role !== undefined
  if (!movesFacts) return inTx((tx) => changeInstallation(tx, id, body))
  await prepareMeterMove(deps, tenantId, [id])
  const tenant = tenantDb(deps.database.kysely, tenantId)
  const before = await facilitiesOfMeters(tenant, [id])
  const updated = await inTx(async (tx) => {
    refuseOtherMeter(found('installation', await installations.lock(tx, id)), body)
    await checkReferences(tx, body)
    const change = async () => found('installation', await installations.update(tx, id, body))
    return moveOfficialMeterFacts(deps, tx, { ids: [id], change })
  })
  await rebuildFacilities(deps, tenantId, [...before, ...(await facilitiesOfMeters(tenant, [id]))])
  return updated
}

async function changeInstallation(tx: TenantTx, id: string, body: UpdateInstallation) {
  refuseOtherMeter(found('installation', await installations.lock(tx, id)), body)
  await checkReferences(tx, body)
  return found('installation', await installations.update(tx, id, body))
}

/** Facility and role identify a declared meter: its next import would create another one. */
function refuseOtherMeter({ fact_source }: { readonly fact_source: string }, body: UpdateInstallation): void {
  if (fact_source === 'osos_official_meter') return
  const field = (['installation_no', 'facility_id', 'measurement_role'] as const).find(
    (name) => body[name] !== undefined,
  )
  if (field === undefined) return
  const text = INSTALLATION_TEXTS.DECLARED_METER_FIELD_FIXED({ field })
  throw unprocessable('BUSINESS_RULE_VIOLATION', text, { field })
}

export interface PostedReadings {
  readonly tenantId: number
  readonly userId: string
  readonly installationId: string
  readonly body: PostReadings
  readonly inTx: InTx
  /** Of the texts of the report. */
  readonly language: Language
}

/**
 * Stores readings of one installation by hour and returns the outcome of each. Throws 404 for an unknown
 * installation.
 */
export async function postReadings(
  deps: OsosDeps,
  { body, language, ...delivery }: PostedReadings,
): Promise<ReadingsReport> {
  const { label, multiplied } = body
  const db = tenantDb(deps.database.kysely, delivery.tenantId)
  found('installation', await installations.find(db, delivery.installationId))
  const installationId = delivery.installationId.toLowerCase()
  const recorded = await recordReadings(deps, {
    ...delivery,
    installationId,
    label,
    multiplied,
    fileName: null,
    sha256: null,
    rows: body.readings.map((reading, row) => ({ row, installationId, sent: sentOf(reading, body) })),
  })
  return {
    ...reportOf(recorded, body.readings.length),
    rows: Array.from(recorded.results, ({ row, status, message }) => ({
      index: row,
      status,
      message: message && textOf(message, language),
    })),
  }
}

/** Returns the hour of a posted reading, or the reason why it is invalid. */
function sentOf(
  { timestamp, import_kwh: drawn, export_kwh: fed }: PostReadings['readings'][number],
  { label, multiplied }: PostReadings,
): SentHour | Message {
  const found = hourOfText(timestamp, label)
  if (found.hour === undefined) return found.fault
  const decimals = multiplied ? 3 : 6
  const imported = millionthsOf(drawn, decimals)
  const exported = millionthsOf(fed, decimals)
  if (imported === undefined || exported === undefined) {
    const name = imported === undefined ? 'import_kwh' : 'export_kwh'
    return READING_TEXTS.READING_NO_DECIMAL({ field: name, decimals })
  }
  return { hour: found.hour, imported, exported, rawText: `${drawn ?? ''} | ${fed ?? ''}` }
}

const millionthsOf = (
  value: number | string | null | undefined,
  decimals: 3 | 6,
): bigint | null | undefined =>
  value === null || value === undefined ? null : parseMillionths(decimalText(value), decimals)
