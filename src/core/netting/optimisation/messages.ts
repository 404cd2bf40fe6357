import { type Message, messages } from '../../../kernel/messages.ts'

/** Why a request cannot be optimised. */
export const OPTIMISATION_FAULTS = messages({
  OPTIMISATION_GROUP_WITHOUT_RESULT: {
    en: 'group {group} has no result in these months',
    tr: '{group} grubunun bu aylarda sonucu yok',
  },
  OPTIMISATION_GROUP_BLOCKED: {
    en: 'group {group} is blocked, so all its production is free; remove the cause first',
    tr: '{group} grubu engelli; üretiminin tamamı bedelsiz. Önce nedenini giderin',
  },
  OPTIMISATION_GROUP_RESIDENTIAL: {
    en: 'group {group} is netted by the month and without a limit, which this optimisation does not cover',
    tr: '{group} grubu aylık ve limitsiz mahsuplaşıyor; bu eniyileme onu kapsamıyor',
  },
  OPTIMISATION_PRICE_MISSING: {
    en: 'the energy of {hour:time} has no price in group {group}',
    tr: '{group} grubunun {hour:time} saatindeki enerjisinin fiyatı yok',
  },
  OPTIMISATION_NO_CONSUMER: {
    en: 'facility {facility} has no known consumption as a member of group {group} on these days',
    tr: '{facility} tesisinin {group} grubunun üyesi olarak bu günlerde bilinen tüketimi yok',
  },
  OPTIMISATION_NO_FORECAST: {
    en: 'the hours before {day} are not enough to forecast facility {facility}; choose more months',
    tr: '{day} öncesindeki saatler {facility} tesisini tahmin etmeye yetmiyor; daha çok ay seçin',
  },
  OPTIMISATION_DAY_IS_KNOWN: {
    en: '{day} is not after the last hour with a result',
    tr: '{day}, sonucu olan son saatten sonra değil',
  },
  OPTIMISATION_ONE_YEAR: {
    en: 'limits belong to a year: choose months of one year',
    tr: 'limitler bir yıla aittir: aynı yılın aylarını seçin',
  },
  OPTIMISATION_HOURS_DIFFER: {
    en: 'group {group} does not have results for all hours that the other groups have; calculate them, or choose other months',
    tr: '{group} grubunun, öbür grupların tüm saatleri için sonucu yok; hesaplatın veya başka aylar seçin',
  },
  OPTIMISATION_BALANCE_UNKNOWN: {
    en: 'a part of the energy of these months has no price, so no balance can be compared',
    tr: 'bu ayların enerjisinin bir bölümünün fiyatı yok; karşılaştırılacak bakiye hesaplanamıyor',
  },
  OPTIMISATION_NOT_MOVABLE: {
    en: 'facility {facility} is not a member of one and the same group over all months and now',
    tr: '{facility} tesisi tüm aylarda ve şimdi aynı grubun üyesi değil',
  },
  OPTIMISATION_MODEL_TOO_LARGE: {
    en: 'the model has {count:number} factors; at most {max:number} are solved. Choose fewer months, groups or facilities',
    tr: 'modelde {count:number} katsayı var; en çok {max:number} çözülür. Daha az ay, grup veya tesis seçin',
  },
  OPTIMISATION_NO_SOLUTION: {
    en: 'no solution was found within the time limit',
    tr: 'süre sınırı içinde çözüm bulunamadı',
  },
  OPTIMISATION_INFEASIBLE: {
    en: 'no assignment keeps the rules of every group',
    tr: 'her grubun kurallarını sağlayan bir atama yok',
  },
})

/** A request that cannot be optimised, and its field at fault. */
export class OptimisationFault extends Error {
  readonly field: string
  readonly content: Message
  constructor(field: string, content: Message) {
    super(`${field}: ${content.code}`)
    this.field = field
    this.content = content
  }
}
