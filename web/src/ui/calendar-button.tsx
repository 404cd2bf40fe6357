/** The button of a date field that shows a calendar: a popover of the browser, which is also above dialogs. */
import { toCalendarDate, toCalendarDateTime, toTime } from '@internationalized/date'
import { lazy, Suspense, useId, useRef, useState } from 'react'
import type { DateValue } from 'react-aria-components'
import { useText } from '../kernel/text.tsx'
import { UI_TEXTS } from './texts.ts'

/** Read when the first calendar is opened. */
const Calendar = lazy(async () => ({ default: (await import('./calendar.tsx')).Calendar }))

interface CalendarButtonProps {
  readonly label: string
  readonly value: DateValue | null
  readonly hasTime: boolean
  readonly onChange: (value: DateValue) => void
}

export function CalendarButton({ label, value, hasTime, onChange }: CalendarButtonProps) {
  const t = useText()
  const id = useId()
  const popover = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const title = t(UI_TEXTS.UI_CALENDAR_OF({ label }))
  const pick = (day: DateValue) => {
    // The time of day stays, or is the beginning of the day.
    const time = value !== null && 'hour' in value ? toTime(value) : undefined
    onChange(hasTime ? toCalendarDateTime(day, time) : day)
    popover.current?.hidePopover()
  }
  return (
    <>
      <button type="button" className="button calendar-button" popoverTarget={id} aria-label={title}>
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M2 3.5h12v10.5H2zM2 6.5h12M5 1.5v3M11 1.5v3" />
        </svg>
      </button>
      <div
        ref={popover}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={title}
        className="calendar-popover"
        onToggle={({ newState }) => setOpen(newState === 'open')}
      >
        {isOpen && (
          <Suspense fallback={t(UI_TEXTS.UI_LOADING())}>
            <Calendar label={title} value={value && toCalendarDate(value)} onChange={pick} />
          </Suspense>
        )}
      </div>
    </>
  )
}
