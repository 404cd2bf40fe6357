import { useMemo } from 'react'
import { DAY_MS, HOUR_MS, TURKEY_OFFSET_MS } from '../../../../src/kernel/time.ts'
import { addMonths, beginningOf, formatInstant } from '../../kernel/dates.ts'
import { approximate, formatDecimal } from '../../kernel/decimal.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { ExportMenu, type TableReport } from '../../ui/export-menu.tsx'
import { HeatMap } from '../../ui/heat-map.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import type { HourlyRow } from './hour-provenance.tsx'
import { MARKS, marksOf, type StaleRange } from './hours/marks.ts'
import { Signs } from './hours/signs.tsx'
import { QUANTITIES, type QuantityId } from './quantities.ts'
import { NETTING_TEXTS } from './texts.ts'

interface HourlyHeatMapProps {
  readonly report: TableReport
  readonly rows: readonly HourlyRow[]
  readonly month: string
  readonly quantity: QuantityId
  readonly selected: string | undefined
  readonly onSelect: (hour: string) => void
  readonly staleRanges: readonly StaleRange[]
}

export function HourlyHeatMap({
  report,
  rows,
  month,
  quantity,
  selected,
  onSelect,
  staleRanges,
}: HourlyHeatMapProps) {
  const t = useText()
  const { language } = useLanguage()
  const { text, color, field } = QUANTITIES.find(({ id }) => id === quantity) ?? QUANTITIES[0]
  const days = useMemo(() => {
    const byHour = new Map(rows.map((row) => [Date.parse(row.hour), row]))
    const largest = Math.max(0, ...rows.map((row) => approximate(row[field] ?? '0')))
    const cellOf = (start: number) => {
      const row = byHour.get(start)
      if (!row) return undefined
      const value = row[field]
      const found = marksOf(row, staleRanges)
      const marks = MARKS.filter(({ id }) => found.includes(id))
      const amount = value === null ? t(UI_TEXTS.UI_UNKNOWN()) : `${formatDecimal(value, 3, language)} kWh`
      const share = value === null || largest === 0 ? 0 : approximate(value) / largest
      return {
        id: row.hour,
        share,
        isUnknown: value === null,
        sign: marks[0]?.sign,
        text: [
          `${formatInstant(start, 'dateTime', language)}: ${amount}`,
          ...marks.map((mark) => t(mark.text())),
        ].join(', '),
      }
    }
    const result = []
    const end = beginningOf(addMonths(month, 1)).getTime()
    for (let day = beginningOf(month).getTime(); day < end; day += DAY_MS) {
      const cells = Array.from({ length: 24 }, (_item, hour) => cellOf(day + hour * HOUR_MS))
      const id = new Date(day + TURKEY_OFFSET_MS).toISOString().slice(0, 10)
      result.push({ id, text: formatInstant(day, 'shortDate', language), cells })
    }
    return result
  }, [rows, month, field, language, t, staleRanges])
  if (rows.length === 0) return <p className="muted">{t(NETTING_TEXTS.NETTING_NO_HOURS())}</p>
  return (
    <>
      <ExportMenu caption={t(NETTING_TEXTS.NETTING_HOURS())} report={report} />
      <HeatMap
        caption={t(NETTING_TEXTS.NETTING_HEAT_MAP({ quantity: t(text()) }))}
        color={color}
        dayTitle={t(NETTING_TEXTS.NETTING_DAY())}
        days={days}
        selected={selected}
        onSelect={onSelect}
      />
      <Signs />
    </>
  )
}
