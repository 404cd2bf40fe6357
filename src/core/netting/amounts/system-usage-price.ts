import type { LocalDate } from '../../../kernel/time.ts'
import type { LuClass, MemberInput, PriceRowInput, SourceKind } from '../types.ts'
import { isValidOn, type PriceBook, type PriceSet } from './price-choice.ts'

export interface LuChoice {
  readonly luClass: LuClass
  /** The reason why the class is not the declared one; null when it is. */
  readonly warning: 'SKB_LU_GROUP_DERIVED' | 'SKB_LU_GROUP_UNKNOWN_DEFAULT' | null
}

const DERIVED: Readonly<Partial<Record<SourceKind, LuClass>>> = {
  solar: 'lisanssiz_uretici_2',
  wind: 'lisanssiz_uretici_2',
  hydro: 'lisanssiz_uretici_2',
  geothermal: 'lisanssiz_uretici_2',
  biomass: 'lisanssiz_uretici_2',
  cogeneration: 'lisanssiz_uretici_1',
}

/**
 * The producer's class of the distribution tariff: as declared, else by its source, else the younger class.
 */
export function luClassOf(member: Pick<MemberInput, 'producerTariffGroup' | 'sourceType'>): LuChoice {
  if (member.producerTariffGroup) return { luClass: member.producerTariffGroup, warning: null }
  const derived = DERIVED[member.sourceType ?? 'unknown']
  return derived
    ? { luClass: derived, warning: 'SKB_LU_GROUP_DERIVED' }
    : { luClass: 'lisanssiz_uretici_2', warning: 'SKB_LU_GROUP_UNKNOWN_DEFAULT' }
}

const STEP_OF: Readonly<Record<LuClass, number>> = { lisanssiz_uretici_1: 1, lisanssiz_uretici_2: 2 }

/**
 * The system usage price of a class. [inferred] The key of a price row has no column for the class. The class
 * is therefore read from tariff_class or tariff_code, otherwise from the step number of an other/system_usage
 * row; otherwise the only other/system_usage row without step and class serves both classes.
 */
export const systemUsagePrice = (book: PriceBook, luClass: LuClass, date: LocalDate): PriceRowInput | null =>
  book.memoize(`system_usage|${luClass}|${date}`, () => {
    for (const set of book.setsOf('system_usage')) {
      const row = chooseInSet(
        set.filter((candidate) => isValidOn(candidate, date)),
        luClass,
      )
      if (row) return row
    }
    return null
  })

function chooseInSet(valid: PriceSet, luClass: LuClass): PriceRowInput | undefined {
  const named = valid.find((row) => row.tariffClass === luClass || row.tariffCode === luClass)
  if (named) return named
  const others = valid.filter((row) => row.aboneGrubu === 'other' && !namesOtherClass(row, luClass))
  const numbered = others.find((row) => row.stepNo === STEP_OF[luClass])
  if (numbered) return numbered
  const plain = others.filter((row) => row.stepNo === null && row.tariffClass === null)
  return plain.length === 1 ? plain[0] : undefined
}

const namesOtherClass = (row: PriceRowInput, luClass: LuClass): boolean =>
  row.tariffClass !== luClass && row.tariffClass !== null && row.tariffClass in STEP_OF
