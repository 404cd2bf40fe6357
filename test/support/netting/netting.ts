import { randomBytes } from 'node:crypto'
import type {
  AboneGrubu,
  MeasurementRole,
  MemberRole,
  SourceKind,
  SupplyType,
} from '../../../src/core/netting/types.ts'
import type { Deps } from '../../../src/platform/runtime/deps.ts'

/** Inserts netting records directly, because most tests are not about the routes that create them. */
type Db = Pick<Deps, 'database'>
type Owner = { readonly id: number }

export interface FacilitySpec {
  readonly name?: string
  readonly meters?: readonly MeasurementRole[]
  readonly aboneGrubu?: AboneGrubu | null
  readonly sourceType?: SourceKind | null
  readonly tariffSupplyType?: SupplyType | null
  readonly isMultiTime?: boolean
  readonly gridOperatorId?: string
  readonly hasStorage?: boolean
  readonly reportingIntervalS?: number
  /** Years with an account, and the initial limit in kWh. */
  readonly limits?: Readonly<Record<number, string>>
}

export interface TestMeter {
  readonly deviceId: string
  readonly deviceKey: number
  readonly assignmentId: string
}

export interface TestFacility {
  readonly id: string
  readonly name: string
  readonly subregionId: string
  readonly meters: Readonly<Partial<Record<MeasurementRole, TestMeter>>>
  /** Account ids by year. */
  readonly accounts: Readonly<Record<number, string>>
}

const tag = (): string => randomBytes(4).toString('hex')
const LONG_AGO = '2020-01-01'

export async function makeSubregion({ database }: Db, { id: tenant_id }: Owner): Promise<string> {
  const region = await database.kysely
    .insertInto('region')
    .values({ tenant_id, name: `region ${tag()}` })
    .returning('id')
    .executeTakeFirstOrThrow()
  const subregion = await database.kysely
    .insertInto('subregion')
    .values({ tenant_id, region_id: region.id, name: `subregion ${tag()}` })
    .returning('id')
    .executeTakeFirstOrThrow()
  return subregion.id
}

export interface MeterSpec {
  readonly facilityId: string
  readonly subregionId: string
  readonly role: MeasurementRole
  readonly from?: string
  readonly to?: string | null
  readonly reportingIntervalS?: number
  readonly templateId?: string
  /** An existing device; otherwise a new one is created. */
  readonly device?: Pick<TestMeter, 'deviceId' | 'deviceKey'>
}

export async function makeMeter({ database }: Db, tenant: Owner, spec: MeterSpec): Promise<TestMeter> {
  const tenant_id = tenant.id
  const device =
    spec.device ??
    (await database.kysely
      .insertInto('device')
      .values({
        tenant_id,
        name: `meter ${tag()}`,
        device_type: 'energy_analyzer',
        device_source: 'virtual',
        reporting_interval_s: spec.reportingIntervalS ?? null,
        template_id: spec.templateId ?? null,
      })
      .returning(['id as deviceId', 'key as deviceKey'])
      .executeTakeFirstOrThrow())
  const { id } = await database.kysely
    .insertInto('meter_assignment')
    .values({
      tenant_id,
      subregion_id: spec.subregionId,
      device_id: device.deviceId,
      facility_id: spec.facilityId,
      measurement_role: spec.role,
      valid_from: spec.from ?? `${LONG_AGO}T00:00:00+03:00`,
      valid_to: spec.to ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { ...device, assignmentId: id }
}

export async function makeFacility(deps: Db, tenant: Owner, spec: FacilitySpec = {}): Promise<TestFacility> {
  const { kysely } = deps.database
  const tenant_id = tenant.id
  const name = spec.name ?? `facility ${tag()}`
  const subregionId = await makeSubregion(deps, tenant)
  const hasStorage = spec.hasStorage ?? false
  const { id } = await kysely
    .insertInto('facility')
    .values({
      tenant_id,
      name,
      subregion_id: subregionId,
      valid_from: LONG_AGO,
      abone_grubu: spec.aboneGrubu === undefined ? 'sanayi' : spec.aboneGrubu,
      source_type: spec.sourceType === undefined ? 'solar' : spec.sourceType,
      tariff_supply_type: spec.tariffSupplyType ?? null,
      is_multi_time: spec.isMultiTime ?? false,
      grid_operator_id: spec.gridOperatorId ?? null,
      has_ess: hasStorage,
      ess_capacity_kwh: hasStorage ? '100.000' : null,
      ess_power_kw: hasStorage ? '50.000000' : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const meters: Partial<Record<MeasurementRole, TestMeter>> = {}
  for (const role of spec.meters ?? []) {
    const { reportingIntervalS } = spec
    meters[role] = await makeMeter(deps, tenant, {
      facilityId: id,
      subregionId,
      role,
      ...(reportingIntervalS !== undefined && { reportingIntervalS }),
    })
  }
  const accounts: Record<number, string> = {}
  for (const [year, initial] of Object.entries(spec.limits ?? {})) {
    accounts[Number(year)] = await makeAccount(deps, tenant, { facilityId: id, year: Number(year), initial })
  }
  return { id, name, subregionId, meters, accounts }
}

export interface AccountSpec {
  readonly facilityId: string
  readonly year: number
  /** In kWh. */
  readonly initial: string
}

export async function makeAccount({ database }: Db, { id: tenant_id }: Owner, spec: AccountSpec) {
  const { id } = await database.kysely
    .insertInto('limit_account')
    .values({
      tenant_id,
      facility_id: spec.facilityId,
      year: spec.year,
      initial_limit_kwh: spec.initial,
      limit_source: 'previous_year_consumption',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await database.kysely
    .insertInto('limit_movement')
    .values({ tenant_id, account_id: id, movement_type: 'initial', amount_kwh: '0', created_at: new Date() })
    .execute()
  return id
}

export interface MemberSpec extends FacilitySpec {
  readonly role: MemberRole
  /** An existing facility; otherwise one is created from the rest of the spec. */
  readonly facility?: TestFacility
  readonly validFrom?: string
  readonly validTo?: string | null
}

const DEFAULT_METERS: Readonly<Record<MemberRole, readonly MeasurementRole[]>> = {
  production: ['main_production'],
  consumption: ['main_consumption'],
  mixed: ['main_production', 'pcc_import_export'],
}

export interface TestGroup {
  readonly id: string
  /** In the order of the specs. */
  readonly facilities: readonly TestFacility[]
}

export async function makeGroup(
  deps: Db,
  tenant: Owner,
  { members, name = `group ${tag()}` }: { readonly members: readonly MemberSpec[]; readonly name?: string },
): Promise<TestGroup> {
  const tenant_id = tenant.id
  const { id } = await deps.database.kysely
    .insertInto('netting_group')
    .values({ tenant_id, name })
    .returning('id')
    .executeTakeFirstOrThrow()
  const facilities: TestFacility[] = []
  for (const member of members) {
    const facility =
      member.facility ??
      (await makeFacility(deps, tenant, { meters: DEFAULT_METERS[member.role], ...member }))
    facilities.push(facility)
    await addMember(deps, tenant, { groupId: id, facilityId: facility.id, ...member })
  }
  return { id, facilities }
}

export const addMember = (
  { database }: Db,
  { id: tenant_id }: Owner,
  member: Pick<MemberSpec, 'role' | 'validFrom' | 'validTo'> & { groupId: string; facilityId: string },
) =>
  database.kysely
    .insertInto('group_member')
    .values({
      tenant_id,
      group_id: member.groupId,
      facility_id: member.facilityId,
      member_role: member.role,
      valid_from: member.validFrom ?? LONG_AGO,
      valid_to: member.validTo ?? null,
      origin: 'test',
    })
    .execute()
