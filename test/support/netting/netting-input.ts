import type {
  AboneGrubu,
  AssignmentInput,
  FactInput,
  MeasurementRole,
  MemberInput,
  PricePurpose,
  PriceRowInput,
  TimeSegment,
  VoltageLevel,
} from '../../../src/core/netting/types.ts'
import { type Kwh, parsePrice } from '../../../src/kernel/decimal.ts'

/** Builders of the engine's input with neutral defaults, for tests. */
export const makeMember = (facilityId: string, own: Partial<MemberInput> = {}): MemberInput => ({
  facilityId,
  role: 'consumption',
  validFrom: '2020-01-01',
  validTo: null,
  aboneGrubu: 'sanayi',
  tariffSupplyType: 'regulated',
  isMultiTime: false,
  producerTariffGroup: null,
  sourceType: 'solar',
  gridOperatorId: null,
  hasStorage: false,
  ...own,
})

export const makeAssignment = (facilityId: string, role: MeasurementRole): AssignmentInput => ({
  facilityId,
  role,
  from: 0,
  to: null,
})

export const makeFact = (
  facilityId: string,
  hour: number,
  own: Partial<FactInput> & Pick<FactInput, 'role'>,
): FactInput => ({
  facilityId,
  hour,
  source: 'zeus_meter',
  productionKwh: null,
  consumptionKwh: null,
  selfConsumptionKwh: null,
  importKwh: null,
  exportKwh: null,
  batteryKwh: null,
  dataQuality: 'complete',
  completenessPct: 100,
  ...own,
})

/** The facts of one facility and hour from values by kind: one row for each measurement role that has one. */
export function makeFacts(
  facilityId: string,
  hour: number,
  values: Readonly<
    Partial<Record<'production' | 'consumption' | 'import' | 'export' | 'battery', Kwh | null>>
  >,
): FactInput[] {
  const facts: FactInput[] = []
  if (values.production !== undefined) {
    facts.push(makeFact(facilityId, hour, { role: 'main_production', productionKwh: values.production }))
  }
  if (values.consumption !== undefined) {
    facts.push(makeFact(facilityId, hour, { role: 'main_consumption', consumptionKwh: values.consumption }))
  }
  if (values.import !== undefined || values.export !== undefined) {
    const own = { importKwh: values.import ?? null, exportKwh: values.export ?? null }
    facts.push(makeFact(facilityId, hour, { role: 'pcc_import_export', ...own }))
  }
  if (values.battery !== undefined) {
    facts.push(makeFact(facilityId, hour, { role: 'battery', batteryKwh: values.battery }))
  }
  return facts
}

export interface PriceText {
  readonly abone: AboneGrubu
  readonly purpose: PricePurpose
  readonly price: string
  readonly segment?: TimeSegment | null
  readonly step?: number | null
  readonly class?: string | null
  readonly voltage?: VoltageLevel
}

/** Rows of one approved set; the ids read `purpose/abone/segment/step`, then the voltage level. */
export const makePrices = (rows: readonly PriceText[], own: Partial<PriceRowInput> = {}): PriceRowInput[] =>
  rows.map((row) => ({
    id: [
      row.purpose,
      row.abone,
      row.segment ?? '-',
      row.step ?? '-',
      ...(row.voltage ? [row.voltage] : []),
    ].join('/'),
    setId: 'set',
    billingPeriod: '2026-06-01',
    setStatus: 'approved',
    approvedAt: 0,
    validFrom: '2026-04-04',
    validTo: null,
    aboneGrubu: row.abone,
    purpose: row.purpose,
    timeSegment: row.segment ?? null,
    stepNo: row.step ?? null,
    tariffClass: row.class ?? null,
    tariffCode: null,
    voltageLevel: row.voltage ?? null,
    priceTryPerKwh: parsePrice(row.price),
    ...own,
  }))
