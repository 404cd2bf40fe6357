/** Figures with their units. An unknown value is shown as such, never as zero. */
import { formatDecimal } from '../kernel/decimal.ts'
import { useLanguage, useText } from '../kernel/text.tsx'
import { UI_TEXTS } from './texts.ts'

interface ValueProps {
  /** A decimal as the API sends it; null is unknown. */
  readonly value: string | null | undefined
  readonly places: number
  readonly unit?: string
}

function Value({ value, places, unit }: ValueProps) {
  const { language } = useLanguage()
  const t = useText()
  if (value === null || value === undefined)
    return (
      <span className="unknown" title={t(UI_TEXTS.UI_UNKNOWN())}>
        —<span className="visually-hidden">{t(UI_TEXTS.UI_UNKNOWN())}</span>
      </span>
    )
  return (
    <>
      {formatDecimal(value, places, language)}
      {unit !== undefined && <small> {unit}</small>}
    </>
  )
}

/** Energy in kWh with a resolution of 1 Wh. */
export const Energy = ({ value }: Pick<ValueProps, 'value'>) => <Value value={value} places={3} unit="kWh" />

/** An amount of money with two places; results have six. */
export const Money = ({ value }: Pick<ValueProps, 'value'>) => <Value value={value} places={2} unit="TL" />

/** An amount of money with all its places. */
export const ExactMoney = ({ value }: Pick<ValueProps, 'value'>) => (
  <Value value={value} places={6} unit="TL" />
)

export const UnitPrice = ({ value }: Pick<ValueProps, 'value'>) => (
  <Value value={value} places={6} unit="TL/kWh" />
)
