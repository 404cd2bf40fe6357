import { addMonths, formatMonth, monthOf } from '../../kernel/dates.ts'
import { useLanguage } from '../../kernel/text.tsx'

/** Months that the selector offers; an older one is offered when its address was opened. */
const MONTHS_OFFERED = 24

/** The months of the selector, the latest first. */
export function useMonthOptions(selected: string) {
  const { language } = useLanguage()
  const current = monthOf(Date.now())
  const months = Array.from({ length: MONTHS_OFFERED }, (_item, index) => addMonths(current, -index))
  const offered = months.includes(selected) ? months : [...months, selected].toSorted().toReversed()
  return offered.map((value) => ({ value, text: formatMonth(value, language) }))
}
