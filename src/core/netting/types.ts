import type { Kwh, Try, TryPerKwh } from '../../kernel/decimal.ts'
import type { BillingPeriod, LocalDate, Range } from '../../kernel/time.ts'
import type { Warning } from '../../kernel/warnings.ts'
import type {
  AboneGrubu,
  AmountType,
  DataQuality,
  EligibilityStatus,
  FactSource,
  LuClass,
  MeasurementRole,
  MemberRole,
  PricePurpose,
  ReasonCode,
  Scenario,
  SourceKind,
  SupplyType,
  TimeSegment,
  VirtualMeterType,
  VoltageLevel,
} from './terms.ts'

export type * from './terms.ts'

/**
 * The input and the result of the calculation of one group and billing period. Instants are epoch
 * milliseconds, energy is integer Wh, money is integer millionths. The order of lists has no meaning.
 */

/** One membership. A facility that left and returned has two, with disjoint periods. */
export interface MemberInput {
  readonly facilityId: string
  /** For the text of warnings only, which otherwise show the id; not part of the hash. */
  readonly facilityName?: string
  readonly role: MemberRole
  /** Active on local dates from `validFrom` up to, not including, `validTo`. */
  readonly validFrom: LocalDate
  readonly validTo: LocalDate | null
  readonly aboneGrubu: AboneGrubu | null
  /** Null counts as regulated. */
  readonly tariffSupplyType: SupplyType | null
  readonly isMultiTime: boolean
  /** Absent and null: unknown. */
  readonly voltageLevel?: VoltageLevel | null
  readonly producerTariffGroup: LuClass | null
  /** Null counts as unknown. */
  readonly sourceType: SourceKind | null
  /** Already resolved: industrial-zone operator, else distribution company, else grid operator. */
  readonly gridOperatorId: string | null
  /** The facility has storage: its `has_ess`, or a device that is an ess_inverter. */
  readonly hasStorage: boolean
}

/**
 * A meter role in force at a facility. It needs no device: an OSOS installation at the boundary counts as
 * pcc_import_export.
 */
export interface AssignmentInput {
  readonly facilityId: string
  readonly role: MeasurementRole
  readonly from: number
  readonly to: number | null
}

/** One fact row: one source, hour and measurement role of a facility. */
export interface FactInput {
  readonly facilityId: string
  readonly hour: number
  readonly source: FactSource
  readonly role: MeasurementRole
  readonly productionKwh: Kwh | null
  readonly consumptionKwh: Kwh | null
  readonly selfConsumptionKwh: Kwh | null
  readonly importKwh: Kwh | null
  readonly exportKwh: Kwh | null
  /** Positive: discharge to the bus; negative: charge. */
  readonly batteryKwh: Kwh | null
  readonly dataQuality: DataQuality
  readonly completenessPct: number
}

/** The limit account of a facility in the period's year. */
export interface AccountInput {
  readonly accountId: string
  readonly facilityId: string
  readonly year: number
  /**
   * initial + all movements that are no usage - usage of current runs of every group in hours of the year
   * before t; t is the first hour of the account's facility in this group and window (`firstActiveHour`).
   */
  readonly openingBalanceKwh: Kwh
}

/** Energy that other groups took from an account between two memberships of its facility in the window. */
export interface TakenElsewhere {
  readonly accountId: string
  /**
   * The first hour of the later membership; the energy was taken between the start of the earlier one and
   * this hour.
   */
  readonly hour: number
  readonly takenKwh: Kwh
}

export interface PriceRowInput {
  readonly id: string
  readonly setId: string
  /** The row's own, not its set's. */
  readonly billingPeriod: BillingPeriod
  readonly setStatus: 'approved' | 'archived'
  readonly approvedAt: number
  readonly validFrom: LocalDate
  /** Inclusive. */
  readonly validTo: LocalDate | null
  readonly aboneGrubu: AboneGrubu
  readonly purpose: PricePurpose
  readonly timeSegment: TimeSegment | null
  readonly stepNo: number | null
  readonly tariffClass: string | null
  readonly tariffCode: string | null
  /** The voltage level that the row is for. Absent and null: every one. */
  readonly voltageLevel?: VoltageLevel | null
  readonly priceTryPerKwh: TryPerKwh
}

/**
 * Consumption of a member from the start of the period to that of the window; `stepStatesBefore` makes it.
 * Needed for members whose `needsStepState` is true, unless the window begins with the period.
 */
export interface StepStateInput {
  readonly facilityId: string
  readonly consumptionKwh: Kwh
  /** An hour so far has no value: the step is unknown, and the high one is used. */
  readonly hasMissingHour: boolean
}

/** The price that a facility pays for active energy in one hour, for a contract at market prices. */
export interface HourlyBillPrice {
  readonly facilityId: string
  readonly hour: number
  readonly priceTryPerKwh: TryPerKwh
}

export interface PeriodInput {
  readonly groupId: string
  /** For the text of warnings only; not part of the hash. */
  readonly groupName: string
  readonly billingPeriod: BillingPeriod
  /** On hour boundaries, inside the period. A residential group's begins with the period. */
  readonly window: Range
  readonly eligibilityStatus: EligibilityStatus
  /**
   * False: export of a facility with storage counts as production while its discharge is unknown. Otherwise it
   * counts as storage export, which is never paid.
   */
  readonly strictStorageExport?: boolean
  /** Every membership that touches the billing period, also outside the window. */
  readonly members: readonly MemberInput[]
  readonly assignments: readonly AssignmentInput[]
  /** Facts of the members in the window; others are ignored. */
  readonly facts: readonly FactInput[]
  readonly accounts: readonly AccountInput[]
  /** Present only where a facility left and returned within the window. */
  readonly takenElsewhere?: readonly TakenElsewhere[]
  /** Rows with billingPeriod <= the period; others are ignored. */
  readonly prices: readonly PriceRowInput[]
  readonly stepStates: readonly StepStateInput[]
  /** Scenarios only. They replace the bill price of their hours; netting by month ignores them. */
  readonly hourlyBillPrices?: readonly HourlyBillPrice[]
}

/** The figures of an hour or of a residential month; null: unknown. */
export interface Figures {
  readonly productionKwh: Kwh | null
  readonly consumptionKwh: Kwh | null
  readonly matchedKwh: Kwh | null
  readonly surplusKwh: Kwh | null
  readonly netImportKwh: Kwh | null
  readonly bedelliKwh: Kwh | null
  readonly skbKwh: Kwh | null
  readonly bedelsizKwh: Kwh | null
  readonly matchedOverLimitKwh: Kwh | null
}

/**
 * A row of the hourly calculation. An hour without a member has no row. Null: unknown. Where the production is known,
 * production = matched + bedelli + skb + bedelsiz.
 */
export interface HourRow extends Figures {
  readonly hour: number
  /** The three limit columns are null where no consumer has an account, and for residential groups. */
  readonly limitBeforeKwh: Kwh | null
  readonly limitUsedKwh: Kwh | null
  readonly limitAfterKwh: Kwh | null
  readonly meskenInformational: boolean
  readonly dataQuality: DataQuality
}

/** Never zero. Key: hour, type, grid operator, source kind, reason. */
export interface VirtualMeterRow {
  readonly hour: number
  readonly virtualMeterType: VirtualMeterType
  readonly gridOperatorId: string | null
  readonly sourceKind: SourceKind
  readonly reasonCode: ReasonCode
  readonly quantityKwh: Kwh
}

/** Always positive; the direction is in the type. A monthly row carries the first hour of the period. */
export interface AmountRow {
  readonly hour: number
  readonly amountType: AmountType
  /** Set on rows of one consumption facility. */
  readonly facilityId: string | null
  /** Grid operator and source kind are set on rows that price a virtual meter row. */
  readonly gridOperatorId: string | null
  readonly sourceKind: SourceKind | null
  /** Step of the price, where it has one. */
  readonly stepNo: number | null
  readonly quantityKwh: Kwh
  /** Price, amount and price id are null together: a quantity-only row. */
  readonly unitPriceTryPerKwh: TryPerKwh | null
  readonly amountTry: Try | null
  readonly tariffPriceId: string | null
}

/** The usage of one account in one hour; both parts >= 0 and not both 0. */
export interface UsageRow {
  readonly accountId: string
  readonly hour: number
  readonly matchedKwh: Kwh
  readonly paidSurplusKwh: Kwh
}

/** The usage of an account by a run. The closing balance is the opening balance less both parts. */
export interface AccountUsage {
  readonly accountId: string
  readonly matchedKwh: Kwh
  readonly paidSurplusKwh: Kwh
  readonly openingBalanceKwh: Kwh
  readonly closingBalanceKwh: Kwh
}

/**
 * Sums over rows of one period; of a residential group the month's quantities, not the hours' sums. A figure is the sum
 * of the known hours, and null where it is known in none.
 */
export interface Summary extends Omit<Figures, 'matchedOverLimitKwh'> {
  /** Exact sum of the priced rows of a type; null where no row of the type has a price. */
  readonly amountsTry: Readonly<Record<AmountType, Try | null>>
  /** Quantity-only rows. */
  readonly priceGapCount: number
  /** Hours of the period in which the group has a member. */
  readonly hoursExpected: number
  readonly hoursCalculated: number
  /** Calculated hours without a missing input, as a share of the expected ones. */
  readonly completenessPct: number
  readonly dataQuality: DataQuality
}

export interface PeriodResult {
  readonly scenario: Scenario
  readonly window: Range
  readonly inputHash: string
  readonly hours: readonly HourRow[]
  readonly virtualMeters: readonly VirtualMeterRow[]
  readonly amounts: readonly AmountRow[]
  readonly usage: readonly UsageRow[]
  /** One entry for every account of a consumption member, also when it was not touched. */
  readonly usageByAccount: readonly AccountUsage[]
  readonly summary: Summary
  readonly warnings: readonly Warning[]
}
