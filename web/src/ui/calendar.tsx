import type { CalendarDate } from '@internationalized/date'
import { Calendar as AriaCalendar, Button, CalendarCell, CalendarGrid, Heading } from 'react-aria-components'

interface CalendarProps {
  readonly label: string
  readonly value: CalendarDate | null
  readonly onChange: (day: CalendarDate) => void
}

/** One month; the arrow keys move by days and weeks, PageUp and PageDown by months, with Shift by years. */
export function Calendar({ label, value, onChange }: CalendarProps) {
  return (
    <AriaCalendar className="calendar" aria-label={label} value={value} onChange={onChange} autoFocus>
      <header className="calendar-head">
        <Button slot="previous" className="button" data-variant="quiet">
          <span aria-hidden="true">‹</span>
        </Button>
        <Heading />
        <Button slot="next" className="button" data-variant="quiet">
          <span aria-hidden="true">›</span>
        </Button>
      </header>
      <CalendarGrid weekdayStyle="short">
        {(date) => <CalendarCell date={date} className="calendar-cell" />}
      </CalendarGrid>
    </AriaCalendar>
  )
}
