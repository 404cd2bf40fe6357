import { dailyStepThreshold } from '../../../../core/netting/steps.ts'
import type { AboneGrubu } from '../../../../core/netting/types.ts'
import { periodOf, periodStart } from '../../../../kernel/time.ts'
import type { EnergyRequest } from '../../../metering/aggregates/index.ts'
import type { BillTariff } from '../../../netting/tariffs/index.ts'
import type { Plan } from './plan.ts'
import type { FacilityTariff } from './store.ts'

interface Tariff extends BillTariff {
  readonly facilityId: string | null
}

export interface Tariffs {
  readonly byDevice: ReadonlyMap<string, FacilityTariff>
  readonly ofSubregion: FacilityTariff | undefined
}

export const tariffsOf = (rows: readonly FacilityTariff[]): Tariffs => ({
  byDevice: new Map(rows.flatMap((row) => (row.device_id === null ? [] : [[row.device_id, row] as const]))),
  ofSubregion: rows.find(({ device_id }) => device_id === null),
})

/** Devices that are billed together, by one tariff and with one step threshold. */
export interface Bill {
  readonly tariff: Tariff
  readonly deviceIds: readonly string[]
  readonly requests: readonly EnergyRequest[]
}

/** Groups the devices of a cost widget by the facility that they are billed with. */
export function billsOf(plan: Plan, tariffs: Tariffs): Bill[] {
  const { abone_grubu: group, is_multi_time: isMulti } = plan.widget.config
  const byFacility = new Map<string, { tariff: Tariff; deviceIds: string[] }>()
  for (const { id } of plan.devices) {
    const facility = tariffs.byDevice.get(id) ?? tariffs.ofSubregion
    const known = byFacility.get(facility?.id ?? '')
    if (known) known.deviceIds.push(id)
    else {
      const tariff = {
        facilityId: facility?.id ?? null,
        // The schema of the config allows only the known groups.
        aboneGrubu: typeof group === 'string' ? (group as AboneGrubu) : (facility?.abone_grubu ?? null),
        voltageLevel: facility?.voltage_level ?? null,
        isMultiTime: typeof isMulti === 'boolean' ? isMulti : (facility?.is_multi_time ?? false),
      }
      byFacility.set(facility?.id ?? '', { tariff, deviceIds: [id] })
    }
  }
  return [...byFacility.values()].map(({ tariff, deviceIds }) => ({
    tariff,
    deviceIds,
    requests: deviceIds.map((deviceId) => ({ deviceId, ...spanOf(plan, tariff) })),
  }))
}

/**
 * The range and interval to read for a price: days, because prices change by day; hours where the price or
 * the chart needs them; from the start of the month where steps count the month so far.
 */
function spanOf({ period: { interval, range } }: Plan, { aboneGrubu, isMultiTime }: Tariff) {
  const hasSteps = dailyStepThreshold(aboneGrubu) !== undefined
  return {
    interval: isMultiTime || interval === 'hourly' ? ('hourly' as const) : ('daily' as const),
    range: { from: hasSteps ? periodStart(periodOf(range.from)) : range.from, to: range.to },
  }
}

export const costRequestsOf = (plan: Plan, tariffs: Tariffs): EnergyRequest[] =>
  billsOf(plan, tariffs).flatMap(({ requests }) => requests)
