import { sql } from 'kysely'
import type { DataQuality, FactSource, MeasurementRole } from '../../../src/core/netting/types.ts'
import { HOUR_MS, periodOf, type Range } from '../../../src/kernel/time.ts'
import { ensurePartitions } from '../../../src/platform/db/partitions.ts'
import type { Deps } from '../../../src/platform/runtime/deps.ts'
import type { TestMeter } from './netting.ts'

type Db = Pick<Deps, 'database'>
type Owner = { readonly id: number }

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

/** Registers in kWh, power in kW. */
export type SampleSpec = { readonly at: number | string; readonly active_power?: number } & Partial<
  Record<Register, number>
>

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
      production_active_energy, battery_charge_energy, battery_discharge_energy, active_power)
    select ${tenant_id}, ${deviceKey}, sample.* from unnest(
      ${samples.map((sample) => new Date(sample.at))}::timestamptz[], ${column('import_active_energy')},
      ${column('export_active_energy')}, ${column('production_active_energy')},
      ${column('battery_charge_energy')}, ${column('battery_discharge_energy')},
      ${samples.map((sample) => sample.active_power ?? null)}::float8[]) as sample
    on conflict do nothing`.execute(database.kysely)
}
