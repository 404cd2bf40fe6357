import { type FocusEvent, type KeyboardEvent, type RefObject, useEffect, useRef } from 'react'
import { formatInstant } from '../../kernel/dates.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { Button } from '../../ui/controls.tsx'
import { ExportMenu, type TableReport } from '../../ui/export-menu.tsx'
import { ScrollFrame } from '../../ui/scroll-frame.tsx'
import { StateTag } from '../../ui/states.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import type { Incident } from './alarms-page.tsx'
import { SEVERITIES } from './policy-states.ts'
import { ALARM_TEXTS } from './texts.ts'
import type { TriageAction } from './triage.tsx'

interface IncidentTableProps {
  readonly report: TableReport
  readonly incidents: readonly Incident[]
  readonly selected: ReadonlySet<string>
  readonly onSelected: (selected: ReadonlySet<string>) => void
  /** Undefined for users without the permission. */
  readonly onAction: ((action: TriageAction, ids: readonly string[]) => void) | undefined
}

const STATUSES = {
  active: ALARM_TEXTS.ALARMS_STATUS_ACTIVE,
  acknowledged: ALARM_TEXTS.ALARMS_STATUS_ACKNOWLEDGED,
  snoozed: ALARM_TEXTS.ALARMS_STATUS_SNOOZED,
  closed: ALARM_TEXTS.ALARMS_STATUS_CLOSED,
} as const

/** The id of the message of a row, which takes the focus when its bar in the timeline is pressed. */
export const rowId = (id: string): string => `incident-${id}`

const canBeAcknowledged = ({ status }: Incident): boolean => status === 'active' || status === 'snoozed'

const KEYS: Readonly<Record<string, TriageAction>> = { a: 'acknowledge', s: 'snooze', c: 'close' }

/** The index of the row that a key moves to. */
function movedTo(key: string, index: number, count: number): number | undefined {
  if (key === 'ArrowDown') return Math.min(index + 1, count - 1)
  if (key === 'ArrowUp') return Math.max(index - 1, 0)
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : undefined
}

const boxesOf = (body: RefObject<HTMLTableSectionElement | null>) => [
  ...(body.current?.querySelectorAll<HTMLInputElement>('input[type=checkbox]') ?? []),
]

/**
 * Keeps the focus in the list when the incident that has it is closed and its check box leaves: it moves to the check
 * box at the same place, to the last one, or to the empty list.
 */
function useKeptFocus(body: RefObject<HTMLTableSectionElement | null>, incidents: readonly Incident[]) {
  const last = useRef<{ readonly id: string; readonly index: number }>(undefined)
  useEffect(() => {
    if (last.current === undefined || document.activeElement !== document.body) return
    const { id, index } = last.current
    if (incidents.some((incident) => incident.id === id && incident.status !== 'closed')) return
    const boxes = boxesOf(body)
    const next = boxes[Math.min(index, boxes.length - 1)] ?? body.current?.closest('section')
    next?.focus({ preventScroll: true })
  }, [incidents, body])
  return {
    onFocus: ({ target }: FocusEvent) => {
      const index = boxesOf(body).indexOf(target as HTMLInputElement)
      last.current = index < 0 ? undefined : { id: (target as HTMLInputElement).value, index }
    },
    // An element that is removed loses the focus to nothing.
    onBlur: ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget !== null) last.current = undefined
    },
  }
}

/**
 * The incidents of a page. The check boxes are the stops of the keyboard: keys move between them, select, and act on
 * the selected incidents, or on that one when none is selected. They work there only, so they take no key from a page
 * that is read or typed into, nor from a screen reader.
 */
export function IncidentTable({ report, incidents, selected, onSelected, onAction }: IncidentTableProps) {
  const t = useText()
  const body = useRef<HTMLTableSectionElement>(null)
  const keptFocus = useKeptFocus(body, incidents)
  const select = (id: string, isSelected: boolean) => {
    const next = new Set(selected)
    if (isSelected) next.add(id)
    else next.delete(id)
    onSelected(next)
  }
  const press = (event: KeyboardEvent) => {
    const boxes = boxesOf(body)
    const index = boxes.indexOf(event.target as HTMLInputElement)
    if (index < 0 || event.ctrlKey || event.metaKey || event.altKey) return
    const to = movedTo(event.key, index, boxes.length)
    if (to !== undefined) {
      event.preventDefault()
      boxes[to]?.focus()
      return
    }
    const action = KEYS[event.key.toLowerCase()]
    const id = boxes[index]?.value
    if (action === undefined || id === undefined || event.repeat) return
    const checked = boxes.filter((box) => box.checked).map(({ value }) => value)
    onAction?.(action, checked.length > 0 ? checked : [id])
  }
  return (
    <div className="table-block">
      <ExportMenu caption={t(ALARM_TEXTS.ALARMS())} report={report} />
      <ScrollFrame className="alarm-table" label={t(ALARM_TEXTS.ALARMS())}>
        <table className="table stacked">
          <caption>{t(ALARM_TEXTS.ALARMS())}</caption>
          <thead>
            <tr>
              <td />
              <th scope="col">{t(ALARM_TEXTS.ALARMS_MESSAGE())}</th>
              <th scope="col">{t(ALARM_TEXTS.ALARMS_SEVERITY())}</th>
              <th scope="col">{t(ALARM_TEXTS.ALARMS_STATUS())}</th>
              <th scope="col">{t(ALARM_TEXTS.ALARMS_DEVICE())}</th>
              <th scope="col">{t(ALARM_TEXTS.ALARMS_SINCE())}</th>
              <td />
            </tr>
          </thead>
          <tbody ref={body} onKeyDown={press} {...keptFocus}>
            {incidents.length === 0 && (
              <tr>
                <td colSpan={7} className="muted">
                  {t(ALARM_TEXTS.ALARMS_NONE())}
                </td>
              </tr>
            )}
            {incidents.map((incident) => (
              <IncidentRow
                key={incident.id}
                incident={incident}
                isSelected={selected.has(incident.id)}
                onSelect={(isSelected) => select(incident.id, isSelected)}
                onAction={onAction}
              />
            ))}
          </tbody>
        </table>
      </ScrollFrame>
    </div>
  )
}

interface IncidentRowProps {
  readonly incident: Incident
  readonly isSelected: boolean
  readonly onSelect: (isSelected: boolean) => void
  readonly onAction: IncidentTableProps['onAction']
}

function IncidentRow({ incident, isSelected, onSelect, onAction }: IncidentRowProps) {
  const t = useText()
  const { language } = useLanguage()
  const { id, message, severity, status, device_name, triggered_at } = incident
  const isOffered = onAction !== undefined && status !== 'closed'
  return (
    <tr>
      <td>
        {isOffered && (
          <input
            type="checkbox"
            value={id}
            checked={isSelected}
            onChange={(event) => onSelect(event.target.checked)}
            aria-label={t(ALARM_TEXTS.ALARMS_SELECT({ message }))}
            aria-keyshortcuts="A S C"
          />
        )}
      </td>
      <th scope="row" id={rowId(id)} tabIndex={-1}>
        {message}
      </th>
      <td data-title={t(ALARM_TEXTS.ALARMS_SEVERITY())}>
        <StateTag states={SEVERITIES} value={severity} />
      </td>
      <td data-title={t(ALARM_TEXTS.ALARMS_STATUS())}>{t(STATUSES[status]())}</td>
      <td data-title={t(ALARM_TEXTS.ALARMS_DEVICE())}>{device_name ?? t(UI_TEXTS.UI_NONE())}</td>
      <td data-title={t(ALARM_TEXTS.ALARMS_SINCE())}>{formatInstant(triggered_at, 'dateTime', language)}</td>
      <td>
        {isOffered && canBeAcknowledged(incident) && (
          <Button onPress={() => onAction('acknowledge', [id])}>{t(ALARM_TEXTS.ALARMS_ACKNOWLEDGE())}</Button>
        )}
      </td>
    </tr>
  )
}
