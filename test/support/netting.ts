import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { HOUR_MS, periodOf, type Range } from '../../src/kernel/time.ts'
import type {
  AboneGrubu,
  DataQuality,
  FactSource,
  MeasurementRole,
  MemberRole,
  PricePurpose,
  SourceKind,
  SupplyType,
  TimeSegment,
} from '../../src/netting-core/types.ts'
import { ensurePartitions } from '../../src/platform/db/partitions.ts'
import type { Deps } from '../../src/platform/deps.ts'

/** Netting records straight in the database: most tests are not about the routes that make them. */
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
  /** Years with an account, and what the account begins with in kWh. */
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
  /** An existing device; otherwise a new one is made. */
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
  /** kWh */
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
  /** An existing facility; otherwise one is made from the rest of the spec. */
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

/** Values in kWh; the columns of one fact row. */
export interface FactSpec {
  readonly facilityId: string
  readonly hour: number | string
  readonly role: MeasurementRole
  readonly production?: string
  readonly consumption?: string
  readonly import?: string
  readonly export?: string
  readonly battery?: string
  readonly source?: FactSource
  readonly quality?: DataQuality
  readonly completenessPct?: number
}

export async function addFacts(
  { database }: Db,
  { id: tenant_id }: Owner,
  facts: readonly FactSpec[],
): Promise<void> {
  const rows = facts.map((fact) => ({
    tenant_id,
    facility_id: fact.facilityId,
    hour: new Date(fact.hour),
    source: fact.source ?? 'zeus_meter',
    measurement_role: fact.role,
    production_kwh: fact.production ?? null,
    consumption_kwh: fact.consumption ?? null,
    import_kwh: fact.import ?? null,
    export_kwh: fact.export ?? null,
    battery_kwh: fact.battery ?? null,
    data_quality: fact.quality ?? 'complete',
    completeness_pct: fact.completenessPct ?? 100,
    computed_at: new Date(),
  }))
  await ensurePartitions(
    database,
    'hourly_energy',
    rows.map((row) => periodOf(row.hour.getTime())),
  )
  for (let start = 0; start < rows.length; start += 2000) {
    await database.kysely
      .insertInto('hourly_energy')
      .values(rows.slice(start, start + 2000))
      .onConflict((conflict) =>
        conflict
          .columns(['tenant_id', 'facility_id', 'hour', 'source', 'measurement_role'])
          .doUpdateSet((eb) => ({
            production_kwh: eb.ref('excluded.production_kwh'),
            consumption_kwh: eb.ref('excluded.consumption_kwh'),
            import_kwh: eb.ref('excluded.import_kwh'),
            export_kwh: eb.ref('excluded.export_kwh'),
            battery_kwh: eb.ref('excluded.battery_kwh'),
            data_quality: eb.ref('excluded.data_quality'),
          })),
      )
      .execute()
  }
}

/** Hourly facts of one column, `values(index)` in kWh for the hours of the range. */
export const hourlyFacts = (
  range: { readonly from: number | string; readonly to: number | string },
  fact: Pick<FactSpec, 'facilityId' | 'role'>,
  values: (index: number) => Omit<FactSpec, 'facilityId' | 'role' | 'hour'> | undefined,
): FactSpec[] => {
  const facts: FactSpec[] = []
  const { from, to }: Range = { from: ms(range.from), to: ms(range.to) }
  for (let hour = from, index = 0; hour < to; hour += HOUR_MS, index += 1) {
    const value = values(index)
    if (value) facts.push({ ...fact, ...value, hour })
  }
  return facts
}
const ms = (instant: number | string): number => (typeof instant === 'number' ? instant : Date.parse(instant))

type Register =
  | 'import_active_energy'
  | 'export_active_energy'
  | 'production_active_energy'
  | 'battery_charge_energy'
  | 'battery_discharge_energy'

/** Registers in kWh. */
export type SampleSpec = { readonly at: number | string } & Partial<Record<Register, number>>

export async function addSamples(
  { database }: Db,
  { id: tenant_id }: Owner,
  { deviceKey }: Pick<TestMeter, 'deviceKey'>,
  samples: readonly SampleSpec[],
): Promise<void> {
  await ensurePartitions(
    database,
    'measurement',
    samples.map((sample) => periodOf(ms(sample.at))),
  )
  const millionths = (value: number | undefined) =>
    value === undefined ? null : String(Math.round(value * 1_000_000))
  const column = (register: Register) =>
    sql`${samples.map((sample) => millionths(sample[register]))}::bigint[]`
  await sql`
    insert into measurement (tenant_id, device_key, ts, import_active_energy, export_active_energy,
      production_active_energy, battery_charge_energy, battery_discharge_energy)
    select ${tenant_id}, ${deviceKey}, sample.* from unnest(
      ${samples.map((sample) => new Date(sample.at))}::timestamptz[], ${column('import_active_energy')},
      ${column('export_active_energy')}, ${column('production_active_energy')},
      ${column('battery_charge_energy')}, ${column('battery_discharge_energy')}) as sample
    on conflict do nothing`.execute(database.kysely)
}

export interface PriceSpec {
  readonly purpose: PricePurpose
  readonly aboneGrubu?: AboneGrubu
  readonly segment?: TimeSegment | null
  readonly stepNo?: number | null
  readonly tariffClass?: string
  /** TRY/kWh */
  readonly price: string
}

/** An approved set of one month; its rows stay valid afterwards. */
export async function makePriceSet(
  { database }: Db,
  billingPeriod: string,
  prices: readonly PriceSpec[],
): Promise<string> {
  const { id } = await database.kysely
    .insertInto('tariff_price_set')
    .values({ billing_period: billingPeriod, approval_status: 'approved', approved_at: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow()
  await database.kysely
    .insertInto('tariff_price')
    .values(
      prices.map((row) => ({
        price_set_id: id,
        billing_period: billingPeriod,
        valid_from: billingPeriod,
        abone_grubu: row.aboneGrubu ?? 'sanayi',
        price_purpose: row.purpose,
        time_segment: row.segment === undefined ? 'tek' : row.segment,
        step_no: row.stepNo ?? null,
        tariff_class: row.tariffClass ?? null,
        price: row.price,
      })),
    )
    .execute()
  return id
}

/** What an industrial group needs: 2.985253 related, 2.909687 lowest related, 0.656008 system usage of class 2. */
export const INDUSTRIAL_PRICES: readonly PriceSpec[] = [
  { purpose: 'mahsuplasma_related_tariff', price: '2.985253' },
  { purpose: 'mahsuplasma_lowest_related_tariff', price: '2.909687' },
  { purpose: 'customer_bill_active_energy', price: '2.985253' },
  {
    purpose: 'system_usage',
    aboneGrubu: 'other',
    segment: null,
    stepNo: 2,
    tariffClass: 'lisanssiz_uretici_2',
    price: '0.656008',
  },
]
