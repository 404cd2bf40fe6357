import { formatDay, formatInstant } from '../kernel/dates.ts'
import { formatDecimal } from '../kernel/decimal.ts'
import { useLanguage, useText } from '../kernel/text.tsx'
import { UI_TEXTS } from '../ui/texts.ts'
import { valueText } from './value-texts.ts'

const DAY = /^\d{4}-\d\d-\d\d$/
const INSTANT = /^\d{4}-\d\d-\d\dT/

/** Fields that hold decimals; amounts of money are shown with two places, as everywhere. */
const DECIMAL_FIELD = /_kwh?$|^multiplier$/
const MONEY_FIELD = /_try$/
const MONEY_PLACES = 2
const DECIMAL = /^-?\d+(?:\.(\d+))?$/

/** The value of a field of a record as a text. */
export function FieldValue({ field, value }: { readonly field: string; readonly value: unknown }) {
  const t = useText()
  const { language } = useLanguage()
  if (value === null || value === undefined || value === '') return '—'
  if (typeof value === 'boolean') return t(value ? UI_TEXTS.UI_YES() : UI_TEXTS.UI_NO())
  if (MONEY_FIELD.test(field) && DECIMAL.test(String(value)))
    return formatDecimal(String(value), MONEY_PLACES, language)
  const decimal = DECIMAL_FIELD.test(field) ? DECIMAL.exec(String(value)) : null
  if (decimal) return formatDecimal(String(value), decimal[1]?.length ?? 0, language)
  if (typeof value === 'number') return value.toLocaleString(language, { useGrouping: false })
  if (Array.isArray(value)) return value.map((one) => valueText(String(one), t)).join(', ')
  if (typeof value !== 'string') return JSON.stringify(value)
  if (DAY.test(value)) return formatDay(value, language)
  return INSTANT.test(value) ? formatInstant(value, 'dateTime', language) : valueText(value, t)
}
