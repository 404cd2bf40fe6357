import { type KeyboardEvent, useRef } from 'react'
import { formatInstant } from '../../kernel/dates.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import { Button, Tag, type Tone } from '../../ui/controls.tsx'
import { UI_TEXTS } from '../../ui/texts.ts'
import type { Incident } from './alarms-page.tsx'
import { ALARM_TEXTS } from './texts.ts'

interface IncidentTableProps {
  readonly incidents: readonly Incident[]
  readonly selected: ReadonlySet<string>
  readonly onSelected: (selected: ReadonlySet<string>) => void
  /** Undefined for users without the permission. */
  readonly onAcknowledge: ((id: string) => void) | undefined
}

const SEVERITIES: Readonly<
  Record<Incident['severity'], { tone: Tone; text: typeof ALARM_TEXTS.ALARMS_INFO }>
> = {
  info: { tone: 'neutral', text: ALARM_TEXTS.ALARMS_INFO },
  warning: { tone: 'warning', text: ALARM_TEXTS.ALARMS_WARNING },
  critical: { tone: 'danger', text: ALARM_TEXTS.ALARMS_CRITICAL },
}
const STATUSES = {
  active: ALARM_TEXTS.ALARMS_STATUS_ACTIVE,
  acknowledged: ALARM_TEXTS.ALARMS_STATUS_ACKNOWLEDGED,
  snoozed: ALARM_TEXTS.ALARMS_STATUS_SNOOZED,
  closed: ALARM_TEXTS.ALARMS_STATUS_CLOSED,
} as const

const canBeAcknowledged = ({ status }: Incident): boolean => status === 'active' || status === 'snoozed'

/**
 * The incidents of a page. The check boxes are the stops of the keyboard: the arrow keys move between them, the space
 * bar selects, and A acknowledges the incident of the focused one.
 */
export function IncidentTable({ incidents, selected, onSelected, onAcknowledge }: IncidentTableProps) {
  const t = useText()
  const body = useRef<HTMLTableSectionElement>(null)
  const select = (id: string, isSelected: boolean) => {
    const next = new Set(selected)
    if (isSelected) next.add(id)
    else next.delete(id)
    onSelected(next)
  }
  const press = (event: KeyboardEvent) => {
    const boxes = [...(body.current?.querySelectorAll<HTMLInputElement>('input[type=checkbox]') ?? [])]
    const index = boxes.indexOf(event.target as HTMLInputElement)
    if (index < 0) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      boxes[index + (event.key === 'ArrowDown' ? 1 : -1)]?.focus()
    } else if (event.key.toLowerCase() === 'a' && !event.ctrlKey && !event.metaKey) {
      const id = boxes[index]?.value
      if (id !== undefined) onAcknowledge?.(id)
    }
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a frame that scrolls must be reachable by keyboard
    <section className="table-frame" aria-label={t(ALARM_TEXTS.ALARMS())} tabIndex={0}>
      <table className="table">
        <caption className="visually-hidden">{t(ALARM_TEXTS.ALARMS())}</caption>
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
        <tbody ref={body} onKeyDown={press}>
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
              onAcknowledge={onAcknowledge}
            />
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface IncidentRowProps {
  readonly incident: Incident
  readonly isSelected: boolean
  readonly onSelect: (isSelected: boolean) => void
  readonly onAcknowledge: IncidentTableProps['onAcknowledge']
}

function IncidentRow({ incident, isSelected, onSelect, onAcknowledge }: IncidentRowProps) {
  const t = useText()
  const { language } = useLanguage()
  const { id, message, severity, status, device_name, triggered_at } = incident
  const isOffered = onAcknowledge !== undefined && canBeAcknowledged(incident)
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
          />
        )}
      </td>
      <th scope="row">{message}</th>
      <td>
        <Tag tone={SEVERITIES[severity].tone}>{t(SEVERITIES[severity].text())}</Tag>
      </td>
      <td>{t(STATUSES[status]())}</td>
      <td>{device_name ?? t(UI_TEXTS.UI_NONE())}</td>
      <td>{formatInstant(triggered_at, 'dateTime', language)}</td>
      <td>
        {isOffered && (
          <Button onPress={() => onAcknowledge(id)}>{t(ALARM_TEXTS.ALARMS_ACKNOWLEDGE())}</Button>
        )}
      </td>
    </tr>
  )
}
