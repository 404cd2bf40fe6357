import { createTenant } from '../areas/admin/tenants/index.ts'
import { createDevice } from '../areas/equipment/devices/index.ts'
import { createRegion, createSubregion } from '../areas/equipment/sites/index.ts'
import {
  addMember,
  assignMeter,
  createFacility,
  createGroup,
  createLimitAccount,
  createMeteringPoint,
  createOrganization,
  createScope,
  declareSameParty,
  type WriteContext,
} from '../areas/netting/index.ts'
import { at } from '../kernel/checked.ts'
import { formatKwh, wh } from '../kernel/decimal.ts'
import type { SystemTx, TenantTx } from '../platform/db/tenant.ts'
import { limitsOf } from './limits.ts'
import { createPriceSets } from './prices.ts'
import type { World } from './series.ts'
import { calendarNotes, type SiteFacility, type SiteGroup } from './site.ts'

/** Permits the loaders to write records with past dates; each such record contains this origin. */
const HISTORY = { origin: 'demo' } as const
/** The history has a sample every quarter of an hour; live samples come more often. */
export const REPORTING_INTERVAL_S = 900

export interface NewLogin {
  readonly email: string
  readonly passwordHash: string
}

/**
 * Creates the tenant with all its records and the prices in the given transaction, so that an interruption
 * leaves either no demo or a complete site without measurements. Returns the tenant's key.
 */
export async function createSite(tx: SystemTx, world: World, login: NewLogin, now: number): Promise<number> {
  const { tenant, user } = world.site
  const admin = { ...login, fullName: user.full_name, isEmailVerified: true, isSuperuser: true }
  const created = await createTenant(tx, { ...tenant, admin })
  const entry: WriteContext = { by: created.admin.id, at: now, history: HISTORY }
  await createPriceSets(tx, world.calendar, { userId: created.admin.id, now })
  await fillTenant({ tx: { db: tx.db, tenantId: created.tenantId }, world, entry })
  return created.tenantId
}

interface Builder {
  readonly tx: TenantTx
  readonly world: World
  readonly entry: WriteContext
}

interface Surroundings {
  readonly regionId: string
  readonly scopeId: string
  readonly distributionId: string
  readonly supplierId: string
}

async function fillTenant(builder: Builder): Promise<void> {
  const { tx, world, entry } = builder
  const { site } = world
  const region = await createRegion(tx, site.region)
  const scope = await createScope(tx, { name: site.scope.name, notes: calendarNotes(world.calendar) })
  await declareSameParty(tx, scope.id, { declaration_source: site.scope.declaration_source }, entry)
  const distribution = await createOrganization(tx, {
    org_type: 'distribution_company',
    name: site.distribution_company,
  })
  const supplier = await createOrganization(tx, { org_type: 'supplier', name: site.supplier })
  const around: Surroundings = {
    regionId: region.id,
    scopeId: scope.id,
    distributionId: distribution.id,
    supplierId: supplier.id,
  }
  for (const group of site.groups) await createSiteGroup(builder, group, around)
}

async function createSiteGroup(builder: Builder, group: SiteGroup, around: Surroundings): Promise<void> {
  const { tx, world, entry } = builder
  const { id: groupId } = await createGroup(tx, {
    name: group.name,
    scope_id: around.scopeId,
    responsible_supplier_id: around.supplierId,
  })
  const facilityIds = new Map<string, string>()
  for (const facility of group.facilities) {
    const facilityId = await createSiteFacility(builder, facility, around)
    facilityIds.set(facility.name, facilityId)
    const { member_role } = facility
    const valid_from = at(world.calendar.months, 0)
    await addMember(tx, groupId, { facility_id: facilityId, member_role, valid_from }, entry)
  }
  for (const { facilityName, year, limitWh } of limitsOf(world, group)) {
    const account = {
      facility_id: facilityIds.get(facilityName) ?? '',
      year,
      initial_limit_kwh: formatKwh(wh(BigInt(limitWh))),
      limit_source: 'previous_year_consumption' as const,
    }
    await createLimitAccount(tx, account, entry)
  }
}

async function createSiteFacility(
  builder: Builder,
  facility: SiteFacility,
  around: Surroundings,
): Promise<string> {
  const { tx, world, entry } = builder
  const { name, contracted_power_kw, pv } = facility
  const subregion = await createSubregion(tx, {
    region_id: around.regionId,
    name,
    city: world.site.city,
    contracted_power_kw: contracted_power_kw ?? null,
  })
  const { id } = await createFacility(
    tx,
    {
      subregion_id: subregion.id,
      scope_id: around.scopeId,
      name,
      valid_from: world.calendar.months[0] ?? null,
      distribution_company_id: around.distributionId,
      supplier_id: around.supplierId,
      abone_grubu: facility.abone_grubu ?? null,
      tariff_supply_type: facility.tariff_supply_type ?? null,
      source_type: facility.source_type ?? null,
      producer_tariff_group: facility.producer_tariff_group ?? null,
      is_multi_time: facility.is_multi_time ?? false,
      voltage_level: facility.voltage_level,
      contracted_power_kw: contracted_power_kw ?? null,
      installed_power_kw: pv ? pv.installed_w / 1000 : null,
    },
    entry,
  )
  await createMeters(builder, facility, { facilityId: id, subregionId: subregion.id })
  return id
}

async function createMeters(
  { tx, world, entry }: Builder,
  { meters }: SiteFacility,
  target: { readonly facilityId: string; readonly subregionId: string },
): Promise<void> {
  const validFrom = at(world.calendar.months, 0)
  for (const { name, role } of meters) {
    const deviceId = await createDevice(tx, {
      name,
      device_type: 'energy_analyzer',
      device_role: 'meter',
      device_source: 'virtual',
      reporting_interval_s: REPORTING_INTERVAL_S,
    })
    const point = await createMeteringPoint(
      tx,
      target.facilityId,
      { meter_no: name, valid_from: validFrom },
      entry,
    )
    await assignMeter(
      tx,
      {
        subregion_id: target.subregionId,
        facility_id: target.facilityId,
        device_id: deviceId,
        metering_point_id: point.id,
        measurement_role: role,
        valid_from: validFrom,
      },
      entry,
    )
  }
}
