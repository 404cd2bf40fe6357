/**
 * Fields for days, months, times of day and local instants, in the time of Turkey and the format of the language
 * (gg.aa.yyyy, dd/mm/yyyy, 24 hours), whatever the language of the browser is. Their values are texts: `YYYY-MM-DD`,
 * `YYYY-MM`, `HH:MM` and `YYYY-MM-DDTHH:MM` with seconds if they are not zero; empty without a value. A value that is
 * not complete is no value: it is marked when the field is left, and keeps its form from being sent.
 */
import { parseDate, parseDateTime, parseTime, setLocalTimeZone, type Time } from '@internationalized/date'
import { type FocusEvent, type ReactNode, useState } from 'react'
import {
  DateField as AriaDateField,
  TimeField as AriaTimeField,
  DateInput,
  DateSegment,
  type DateValue,
  FieldError,
  Label,
  Text,
} from 'react-aria-components'
import { useText } from '../kernel/text.tsx'
import { CalendarButton } from './calendar-button.tsx'
import { useFieldError } from './field-error.ts'
import { UI_TEXTS } from './texts.ts'

// The day of today, which the arrow keys begin with and the calendar marks.
setLocalTimeZone('Europe/Istanbul')

/** Years below are those of a year that is being typed. */
const YEAR_MIN = 1000

export interface DateFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly isRequired?: boolean
  readonly description?: string | undefined
}

type Precision = 'month' | 'day' | 'minute'

const PARSERS: Readonly<Record<Precision, (text: string) => DateValue>> = {
  month: (text) => parseDate(`${text}-01`),
  day: parseDate,
  minute: parseDateTime,
}

const WRITERS: Readonly<Record<Precision, (date: DateValue) => string>> = {
  month: (date) => date.toString().slice(0, 7),
  day: (date) => date.toString(),
  minute: (date) => withoutSeconds(date.toString()),
}

/** Without seconds that are zero, as the values of the fields of browsers. */
const withoutSeconds = (text: string): string => text.replace(/(:\d\d):00$/, '$1')

export const DateField = (props: DateFieldProps) => <CalendarField {...props} precision="day" />

export const MonthField = (props: DateFieldProps) => <CalendarField {...props} precision="month" />

export const DateTimeField = (props: DateFieldProps) => <CalendarField {...props} precision="minute" />

export function TimeField({ label, description, value, onChange, isRequired = false }: DateFieldProps) {
  const { typed, change } = useTyped<Time>(value, onChange, parseTime, (time) =>
    withoutSeconds(time.toString()),
  )
  const completeness = useCompleteness(change)
  return (
    <AriaTimeField
      {...completeness.props}
      className="field"
      value={typed}
      isRequired={isRequired}
      hourCycle={24}
      shouldForceLeadingZeros
    >
      <FieldParts label={label} description={description} isIncomplete={completeness.isIncomplete} />
    </AriaTimeField>
  )
}

interface CalendarFieldProps extends DateFieldProps {
  readonly precision: Precision
}

function CalendarField({
  precision,
  label,
  description,
  value,
  onChange,
  isRequired = false,
}: CalendarFieldProps) {
  const { typed, change } = useTyped(value, onChange, PARSERS[precision], WRITERS[precision])
  const completeness = useCompleteness(change)
  return (
    <AriaDateField<DateValue>
      {...completeness.props}
      className="field"
      value={typed}
      isRequired={isRequired}
      // The field has this granularity too; its type does not name it.
      granularity={granularityOf(precision, value) as 'day'}
      hourCycle={24}
      shouldForceLeadingZeros
    >
      <FieldParts label={label} description={description} isIncomplete={completeness.isIncomplete}>
        {precision !== 'month' && (
          <CalendarButton
            label={label}
            value={typed}
            hasTime={precision === 'minute'}
            onChange={completeness.props.onChange}
          />
        )}
      </FieldParts>
    </AriaDateField>
  )
}

const granularityOf = (precision: Precision, value: string): Precision | 'second' =>
  precision === 'minute' && value.length > 'YYYY-MM-DDTHH:MM'.length ? 'second' : precision

/** What is typed, which is kept while it is not yet a value, such as the first digits of a year. */
function useTyped<Value extends DateValue | Time>(
  text: string,
  onChange: (text: string) => void,
  parse: (text: string) => Value,
  write: (value: Value) => string,
) {
  const [state, setState] = useState(() => ({ text, typed: parsed(text, parse) }))
  if (state.text !== text) setState({ text, typed: parsed(text, parse) })
  const change = (typed: Value | null) => {
    const isYearTyped = typed !== null && 'year' in typed && typed.year < YEAR_MIN
    const next = typed === null ? '' : isYearTyped ? text : write(typed)
    setState({ text: next, typed })
    if (next !== text) onChange(next)
  }
  return { typed: state.typed, change }
}

/** Null for a text that is no value, such as one of an address that was changed by hand. */
function parsed<Value>(text: string, parse: (text: string) => Value): Value | null {
  if (text === '') return null
  try {
    return parse(text)
  } catch {
    return null
  }
}

/** Whether some parts of a field are missing, which is examined when the focus leaves it. */
function useCompleteness<Value>(change: (value: Value) => void) {
  const [isIncomplete, setIncomplete] = useState(false)
  const errorId = useFieldError()
  return {
    isIncomplete,
    props: {
      // Absent otherwise, because `false` would hide that a value is missing.
      ...(isIncomplete && { isInvalid: true }),
      ...(errorId !== undefined && { 'aria-describedby': errorId }),
      onBlur: ({ currentTarget }: FocusEvent) => setIncomplete(hasMissingParts(currentTarget)),
      onChange(value: Value) {
        setIncomplete(false)
        change(value)
      },
    },
  }
}

function hasMissingParts(field: Element): boolean {
  const parts = [...field.querySelectorAll('[role=spinbutton]')]
  const entered = parts.filter((part) => !part.matches('[data-placeholder]'))
  const isYearShort = entered.some(
    (part) => part.matches('[data-type=year]') && Number(part.textContent) < YEAR_MIN,
  )
  return isYearShort || (entered.length > 0 && entered.length < parts.length)
}

interface FieldPartsProps {
  readonly label: string
  readonly description: string | undefined
  readonly isIncomplete: boolean
  readonly children?: ReactNode
}

function FieldParts({ label, description, isIncomplete, children }: FieldPartsProps) {
  const t = useText()
  return (
    <>
      <Label className="label">{label}</Label>
      <div className="date-box">
        <DateInput className="input date-input">
          {(segment) => <DateSegment segment={segment} className="date-part" />}
        </DateInput>
        {children}
      </div>
      {description !== undefined && (
        <Text slot="description" className="description">
          {description}
        </Text>
      )}
      <FieldError className="error">
        {t(isIncomplete ? UI_TEXTS.UI_DATE_INCOMPLETE() : UI_TEXTS.UI_DATE_REQUIRED())}
      </FieldError>
    </>
  )
}
