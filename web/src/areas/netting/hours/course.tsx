import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { DAY_MS, iso } from '../../../../../src/kernel/time.ts'
import { useGets } from '../../../api/queries.ts'
import { addMonths, beginningOf, formatInstant } from '../../../kernel/dates.ts'
import { useLanguage, useText } from '../../../kernel/text.tsx'
import { Button, Notice } from '../../../ui/controls.tsx'
import { useErrorText } from '../../../ui/page.tsx'
import { StackedChart } from '../../../ui/stacked-chart.tsx'
import { columnIndexAt } from '../../../ui/stacked-columns.ts'
import { UI_TEXTS } from '../../../ui/texts.ts'
import { useGroupMonth } from '../group-month.ts'
import { columnsOf, type Range } from './columns.ts'
import { MARKS, type StaleRange } from './marks.ts'
import { Readout } from './readout.tsx'
import { HOURS_TEXTS } from './texts.ts'
import { bounded, monthRange, monthsOf, moved, type Span, spanRange, zoomed } from './window.ts'

/** More than the hours of a month. */
const HOURS_MAX = 2000

const LAYER_COLORS = ['--energy-matched', '--energy-paid', '--energy-over-limit', '--energy-free']
const LINE_COLORS = ['--energy-production', '--energy-consumption']

/** A click on a longer range, where an hour is less than a pixel or two, shows its day. */
const HOUR_RANGE_MAX_MS = 62 * DAY_MS
/** Zooming out shows months that were left a moment ago: they are not read again. */
const STALE_MS = 5 * 60_000

interface CourseProps {
  readonly staleRanges: readonly StaleRange[]
  readonly onHour: (hour: string) => void
}

/** The course of production and consumption, from a year to an hour. */
export function Course({ staleRanges, onHour }: CourseProps) {
  const t = useText()
  const errorText = useErrorText()
  const { groupId, month } = useGroupMonth()
  const { from, to, hour } = useSearch({ from: '/signed-in/netting/groups/$groupId/' })
  const navigate = useNavigate({ from: '/netting/groups/$groupId/' })
  const [hovered, setHovered] = useState<number>()
  const shown = useMemo(
    () =>
      from === undefined || to === undefined
        ? monthRange(month)
        : bounded({ from: Date.parse(from), to: Date.parse(to) }),
    [from, to, month],
  )
  const reads = useHours(groupId, shown)
  const columns = useMemo(
    () =>
      columnsOf(
        reads.parts.filter((rows) => rows !== undefined),
        shown,
        staleRanges,
      ),
    [reads.parts, shown, staleRanges],
  )
  const show = (range: Range) => {
    const { from: start, to: end } = bounded(range)
    void navigate({
      search: (previous) => ({ ...previous, from: iso(start), to: iso(end) }),
      replace: true,
      resetScroll: false,
    })
  }
  const selectedAt = hour === undefined ? undefined : Date.parse(hour)
  const selected = selectedAt === undefined ? undefined : columnIndexAt(columns, selectedAt)
  const at = hovered ?? selected
  const select = (index: number) => {
    const column = columns[index]
    if (!column) return
    if (shown.to - shown.from > HOUR_RANGE_MAX_MS) show(spanRange('day', column.from))
    else onHour(iso(column.from))
  }
  return (
    <>
      <Controls shown={shown} selectedAt={selectedAt} onShow={show} />
      {reads.error !== null && <Notice tone="danger">{errorText(reads.error)}</Notice>}
      <StackedChart
        columns={columns}
        layerColors={LAYER_COLORS}
        lineColors={LINE_COLORS}
        marks={MARKS}
        selected={selected}
        onHover={setHovered}
        onSelect={select}
        onZoom={(start, end) => show({ from: start, to: end })}
      />
      {reads.data === undefined && !reads.error && <p role="status">{t(UI_TEXTS.UI_LOADING())}</p>}
      <Readout columns={columns} shown={at === undefined ? undefined : columns[at]} />
      <p className="muted">{t(HOURS_TEXTS.HOURS_HELP())}</p>
    </>
  )
}

/** The hours of the months that the range touches; each month is read and kept by itself. */
function useHours(groupId: string, shown: Range) {
  return useGets(
    '/api/mahsuplasma/groups/{id}/hourly',
    monthsOf(shown).map((month) => ({
      path: { id: groupId },
      query: {
        from: beginningOf(month).toISOString(),
        to: beginningOf(addMonths(month, 1)).toISOString(),
        limit: HOURS_MAX,
      },
    })),
    { staleTime: STALE_MS },
  )
}

interface ControlsProps {
  readonly shown: Range
  readonly selectedAt: number | undefined
  readonly onShow: (range: Range) => void
}

const SPANS: readonly { readonly span: Span; readonly text: typeof HOURS_TEXTS.HOURS_YEAR }[] = [
  { span: 'year', text: HOURS_TEXTS.HOURS_YEAR },
  { span: 'month', text: HOURS_TEXTS.HOURS_MONTH },
  { span: 'week', text: HOURS_TEXTS.HOURS_WEEK },
  { span: 'day', text: HOURS_TEXTS.HOURS_DAY },
]

function Controls({ shown, selectedAt, onShow }: ControlsProps) {
  const t = useText()
  const { language } = useLanguage()
  const isInside = selectedAt !== undefined && shown.from <= selectedAt && selectedAt < shown.to
  const at = isInside ? selectedAt : shown.from
  const isSpan = (span: Span) => {
    const { from, to } = spanRange(span, at)
    return from === shown.from && to === shown.to
  }
  return (
    <div className="row">
      <fieldset className="segments">
        <legend className="visually-hidden">{t(HOURS_TEXTS.HOURS_SPAN())}</legend>
        {SPANS.map(({ span, text }) => (
          <button
            key={span}
            type="button"
            aria-pressed={isSpan(span)}
            onClick={() => onShow(spanRange(span, at))}
          >
            {t(text())}
          </button>
        ))}
      </fieldset>
      <Button onPress={() => onShow(moved(shown, -1))}>‹ {t(HOURS_TEXTS.HOURS_EARLIER())}</Button>
      <Button onPress={() => onShow(moved(shown, 1))}>{t(HOURS_TEXTS.HOURS_LATER())} ›</Button>
      <Button onPress={() => onShow(zoomed(shown, 0.5, at))}>{t(HOURS_TEXTS.HOURS_ZOOM_IN())}</Button>
      <Button onPress={() => onShow(zoomed(shown, 2))}>{t(HOURS_TEXTS.HOURS_ZOOM_OUT())}</Button>
      <span role="status">
        {t(
          HOURS_TEXTS.HOURS_RANGE({
            from: formatInstant(shown.from, 'dateTime', language),
            to: formatInstant(shown.to, 'dateTime', language),
          }),
        )}
        {', '}
        {t(HOURS_TEXTS.HOURS_BY_HOUR())}
      </span>
    </div>
  )
}
