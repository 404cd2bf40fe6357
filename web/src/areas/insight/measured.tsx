import { useLanguage, useText } from '../../kernel/text.tsx'
import { Tag } from '../../ui/controls.tsx'
import { StateTag } from '../../ui/states.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import { QUALITIES } from '../equipment/states.ts'
import { EQUIPMENT_TEXTS } from '../equipment/texts.ts'

interface MeasuredProps {
  /** A measured value, which the API sends as a number; null is unknown, never zero. */
  readonly value: number | null
  readonly unit?: string | null
  /** Most places. */
  readonly places?: number
}

/** A value of a meter with its unit. */
export function Measured({ value, unit, places = 3 }: MeasuredProps) {
  const t = useText()
  const { language } = useLanguage()
  if (value === null)
    return (
      <span className="unknown" title={t(UI_TEXTS.UI_UNKNOWN())}>
        —<span className="visually-hidden">{t(UI_TEXTS.UI_UNKNOWN())}</span>
      </span>
    )
  return (
    <>
      {value.toLocaleString(language, { maximumFractionDigits: places })}
      {unit !== undefined && unit !== null && unit !== '' && <small> {unit}</small>}
    </>
  )
}

interface QualityTagsProps {
  readonly quality: keyof typeof QUALITIES
  readonly isEstimated: boolean
}

/** What is doubtful about a value; nothing for a complete one. */
export function QualityTags({ quality, isEstimated }: QualityTagsProps) {
  const t = useText()
  return (
    <>
      {quality !== 'complete' && <StateTag states={QUALITIES} value={quality} />}
      {isEstimated && <Tag tone="warning">{t(EQUIPMENT_TEXTS.EQUIPMENT_ESTIMATED())}</Tag>}
    </>
  )
}
