import { type Message, messages } from '../../../kernel/messages.ts'

/** Why a change of a scenario cannot be applied. */
export const SCENARIO_FAULTS = messages({
  SCENARIO_FACILITY_UNKNOWN: {
    en: 'facility {facility} has no readings in the months of the scenario',
    tr: '{facility} tesisinin senaryo aylarında ölçümü yok',
  },
  SCENARIO_FACILITY_NOT_MEMBER: {
    en: 'facility {facility} is no member of a group of the scenario on these days',
    tr: '{facility} tesisi bu günlerde senaryodaki bir grubun üyesi değil',
  },
  SCENARIO_FACILITY_ALREADY_MEMBER: {
    en: 'facility {facility} is already a member of a group of the scenario on these days',
    tr: '{facility} tesisi bu günlerde zaten senaryodaki bir grubun üyesi',
  },
  SCENARIO_GROUP_NOT_IN_BASE: {
    en: 'group {group} has no result in the months of the scenario',
    tr: '{group} grubunun senaryo aylarında sonucu yok',
  },
  SCENARIO_NO_PRODUCTION_METER: {
    en: 'facility {facility} has no production meter, so its plant cannot be scaled',
    tr: '{facility} tesisinde üretim sayacı yok; santrali ölçeklenemez',
  },
  SCENARIO_NO_PRODUCTION: {
    en: 'facility {facility} has no measured production to take the profile from',
    tr: '{facility} tesisinin profil alınacak ölçülmüş üretimi yok',
  },
  SCENARIO_NO_CONSUMPTION: {
    en: 'facility {facility} has no measured consumption',
    tr: '{facility} tesisinin ölçülmüş tüketimi yok',
  },
  SCENARIO_PROFILE_LENGTH: {
    en: 'a profile has 24 values, 168, or one for each of the {hours:number} hours of the scenario, not {count:number}',
    tr: 'profilde 24, 168 veya senaryonun {hours:number} saati kadar değer olmalıdır; {count:number} değer var',
  },
  SCENARIO_SCHEDULE_LENGTH: {
    en: 'a schedule has one value for each of the {hours:number} hours of its days, not {count:number}',
    tr: 'çizelgede günlerin {hours:number} saatinin her biri için bir değer olmalıdır; {count:number} değer var',
  },
  SCENARIO_NO_BATTERY: {
    en: 'facility {facility} has no measured battery on these days',
    tr: '{facility} tesisinin bu günlerde ölçülmüş bataryası yok',
  },
  SCENARIO_LIMIT_WITHOUT_ACCOUNT: {
    en: 'facility {facility} has no limit account in {year}',
    tr: '{facility} tesisinin {year} yılında limit hesabı yok',
  },
  SCENARIO_TRANSFER_TOO_HIGH: {
    en: 'facility {facility} has {remaining_kwh:number} kWh left at the start of {month:month}, less than the {amount_kwh:number} kWh to transfer',
    tr: '{facility} tesisinin {month:month} başında {remaining_kwh:number} kWh limiti kaldı; aktarılacak {amount_kwh:number} kWh bundan fazla',
  },
  SCENARIO_TRANSFER_TO_ITSELF: {
    en: 'the source and the target of a transfer are the same facility',
    tr: 'aktarımın kaynağı ve hedefi aynı tesis',
  },
  SCENARIO_PRICE_NOT_FOUND: {
    en: 'no price of {purpose} applies to the groups of the scenario',
    tr: 'senaryodaki gruplara uygulanan {purpose} fiyatı yok',
  },
  SCENARIO_MARKET_PRICE_MISSING: {
    en: 'the market price of {hour:time} is not known',
    tr: '{hour:time} saatinin piyasa fiyatı bilinmiyor',
  },
  SCENARIO_DAYS_OUTSIDE: {
    en: 'the days from {from} to {to} are outside of the scenario',
    tr: '{from} - {to} günleri senaryonun dışında',
  },
})

/** A change that cannot be applied: its position in the list, and the field at fault. */
export class ScenarioFault extends Error {
  readonly changeIndex: number
  readonly field: string
  readonly content: Message
  constructor(changeIndex: number, field: string, content: Message) {
    super(`change ${changeIndex}, ${field}: ${content.code}`)
    this.changeIndex = changeIndex
    this.field = field
    this.content = content
  }
}
