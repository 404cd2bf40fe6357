import type { Kwh, Try, TryPerKwh } from '../../../kernel/decimal.ts'
import type { BillingPeriod, LocalDate } from '../../../kernel/time.ts'
import type { NettingInterval } from '../period.ts'
import type {
  AboneGrubu,
  AssignmentInput,
  FactInput,
  MemberInput,
  MemberRole,
  PeriodInput,
  PricePurpose,
  TimeSegment,
  VoltageLevel,
} from '../types.ts'

/** What a facility is, without a membership. */
export type FacilityTerms = Omit<MemberInput, 'role' | 'validFrom' | 'validTo'>

/** A facility that is in no input of the base, with its facts over the months of the scenario. */
export interface OtherFacility {
  readonly terms: FacilityTerms
  readonly assignments: readonly AssignmentInput[]
  readonly facts: readonly FactInput[]
  /** Balances at the start of the scenario. */
  readonly accounts: readonly {
    readonly accountId: string
    readonly year: number
    readonly balanceKwh: Kwh
  }[]
}

/** The stored inputs of the runs of some groups and consecutive months, and what changes may refer to. */
export interface ScenarioBase {
  readonly from: BillingPeriod
  /** The last month. */
  readonly to: BillingPeriod
  /** Windows of one group do not overlap. */
  readonly inputs: readonly PeriodInput[]
  readonly others: readonly OtherFacility[]
  /** Parts of a year's yield, for each hour of a leap year. */
  readonly solarShape: readonly number[]
  /** Day-ahead prices by hour, where a change needs them. */
  readonly marketPrices: ReadonlyMap<number, TryPerKwh>
}

/** A ratio in millionths. */
export type Ratio = bigint

/** Energy by hour. */
export type Profile =
  /** The measured production, or consumption, of a facility, multiplied. */
  | { readonly kind: 'facility'; readonly facilityId: string; readonly factor: Ratio }
  /** The national solar series: installed power, and yield of a kW in a leap year. */
  | { readonly kind: 'national_solar'; readonly powerW: bigint; readonly yieldKwhPerKw: bigint }
  /** 24 hours of each day, 168 of each week from Monday, or each hour of the scenario. */
  | { readonly kind: 'hours'; readonly valuesKwh: readonly Kwh[] }

/** Local dates from `from` up to, not including, `to`; without them the whole scenario. */
export interface Days {
  readonly from?: LocalDate | undefined
  readonly to?: LocalDate | undefined
}

export interface AddFacility extends Days {
  readonly type: 'add_facility'
  readonly facilityId: string
  readonly groupId: string
  readonly terms: Omit<FacilityTerms, 'facilityId'>
  readonly production?: Profile | undefined
  readonly consumption?: Profile | undefined
  /** The limit of each year; without it the facility has no account. */
  readonly limitKwh?: Kwh | undefined
}
export interface AddEnergy extends Days {
  readonly type: 'add_plant' | 'add_load'
  readonly facilityId: string
  readonly profile: Profile
}
export interface ScaleEnergy extends Days {
  readonly type: 'scale_plant' | 'scale_load'
  readonly facilityId: string
  readonly factor: Ratio
}
export interface AddBattery extends Days {
  readonly type: 'add_battery'
  readonly facilityId: string
  readonly capacityKwh: Kwh
  /** Energy of one hour at full power, at the meter; of charge and of discharge. */
  readonly powerKwh: Kwh
  /** Round trip, in millionths; the loss occurs while charging. */
  readonly efficiency: Ratio
  /** Energy in it at the start. Absent: none. */
  readonly initialKwh?: Kwh | undefined
  /**
   * `self_consumption`: stores surplus of the facility, or of the group, and covers its later need.
   * `time_of_price`: charges in some hours of the day and covers the need of others.
   * `schedule`: follows set points as far as the battery and the need of the facility allow.
   */
  readonly rule: 'self_consumption' | 'time_of_price' | 'schedule'
  readonly balanceOf: 'facility' | 'group'
  /** For `schedule`: energy of each hour of the days; positive: discharge, negative: charge. */
  readonly scheduleKwh?: readonly Kwh[] | undefined
  /** Hours of the local day, for `time_of_price`. */
  readonly chargeHours: readonly number[]
  readonly dischargeHours: readonly number[]
}
/** Takes the measured charge and discharge of a battery out of the meters of its facility. */
export interface RemoveBattery extends Days {
  readonly type: 'remove_battery'
  readonly facilityId: string
}
export interface ShiftLoad extends Days {
  readonly type: 'shift_load'
  readonly facilityId: string
  /** The part of the consumption of the hours that is moved, in millionths. */
  readonly share: Ratio
  /** Hours of the local day. What is moved is divided equally among the hours to. */
  readonly fromHours: readonly number[]
  readonly toHours: readonly number[]
}
export interface JoinGroup extends Days {
  readonly type: 'join_group'
  readonly facilityId: string
  readonly groupId: string
  readonly role: MemberRole
}
export interface LeaveGroup {
  readonly type: 'leave_group'
  readonly facilityId: string
  readonly groupId: string
  readonly from?: LocalDate | undefined
}
export interface MoveFacility {
  readonly type: 'move_facility'
  readonly facilityId: string
  readonly fromGroupId: string
  readonly groupId: string
  readonly from?: LocalDate | undefined
}
export interface ChangeFacility {
  readonly type: 'change_facility'
  readonly facilityId: string
  readonly from?: LocalDate | undefined
  readonly terms: Partial<
    Pick<
      MemberInput,
      | 'role'
      | 'aboneGrubu'
      | 'tariffSupplyType'
      | 'isMultiTime'
      | 'voltageLevel'
      | 'producerTariffGroup'
      | 'sourceType'
    >
  >
}
export interface ChangeLimit {
  readonly type: 'change_limit'
  readonly facilityId: string
  /** Effective from the start of this month on, until the end of its year. */
  readonly month: BillingPeriod
  /** Negative: less. */
  readonly amountKwh: Kwh
}
export interface TransferLimit {
  readonly type: 'transfer_limit'
  readonly sourceFacilityId: string
  readonly targetFacilityId: string
  readonly month: BillingPeriod
  readonly amountKwh: Kwh
}
/** Absent: every one. */
export interface PriceSelection {
  readonly purpose: PricePurpose
  readonly aboneGrubu?: AboneGrubu | undefined
  readonly timeSegment?: TimeSegment | undefined
  readonly voltageLevel?: VoltageLevel | undefined
}
export interface ScalePrice extends PriceSelection {
  readonly type: 'scale_price'
  readonly factor: Ratio
}
export interface SetPrice extends PriceSelection {
  readonly type: 'set_price'
  readonly priceTryPerKwh: TryPerKwh
}
/** The facility buys at the day-ahead price of the hour and a margin. */
export interface MarketPrice extends Days {
  readonly type: 'market_price'
  readonly facilityId: string
  /** Added to the multiplied price. */
  readonly marginTryPerKwh: TryPerKwh
  readonly factor: Ratio
}
export interface SetInterval {
  readonly type: 'netting_interval'
  readonly groupId: string
  readonly interval: NettingInterval
}

export type Change =
  | AddFacility
  | AddEnergy
  | ScaleEnergy
  | AddBattery
  | RemoveBattery
  | ShiftLoad
  | JoinGroup
  | LeaveGroup
  | MoveFacility
  | ChangeFacility
  | ChangeLimit
  | TransferLimit
  | ScalePrice
  | SetPrice
  | MarketPrice
  | SetInterval

/** The energy of a battery over the scenario: initial + charged = discharged + loss + left in it. */
export interface BatteryTotals {
  readonly changeIndex: number
  readonly facilityId: string
  readonly chargedKwh: Kwh
  readonly dischargedKwh: Kwh
  readonly lossKwh: Kwh
  readonly leftKwh: Kwh
  /** Energy of each hour of its days; positive: discharge, negative: charge. */
  readonly dispatchKwh: readonly Kwh[]
}

/** The figures of one facility in one group and month. Null: unknown, or a part has no price. */
export interface MemberFigures {
  readonly facilityId: string
  readonly producedKwh: Kwh | null
  /** Production that was matched, paid, over the limit, and free. */
  readonly matchedProductionKwh: Kwh
  readonly paidKwh: Kwh
  readonly overLimitKwh: Kwh
  readonly freeKwh: Kwh
  readonly consumedKwh: Kwh | null
  readonly matchedConsumptionKwh: Kwh
  readonly boughtKwh: Kwh
  /** Payment for its paid surplus, and fee for its energy over the limit. */
  readonly revenueTry: Try | null
  readonly feeTry: Try | null
  /** Value of its matched consumption, and the cost of what it still buys. */
  readonly savingsTry: Try | null
  readonly purchaseTry: Try | null
}
