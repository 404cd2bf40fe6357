/**
 * The incidents of the list over time, with a lane for each device or policy. It is for the eye: screen readers and
 * keyboards have the table below it, which contains the same. A bar leads to its row there. Pointers reach the bars,
 * the tab key does not.
 */
import { formatInstant } from '../../kernel/dates.ts'
import { useLanguage, useText } from '../../kernel/text.tsx'
import type { Incident } from './alarms-page.tsx'
import { SEVERITIES } from './policy-states.ts'
import { ALARM_TEXTS } from './texts.ts'

export type LaneBy = 'device' | 'policy'

interface Bar {
  readonly incident: Incident
  /** Milliseconds. */
  readonly begin: number
  readonly end: number
  /** The row of the lane, from 0: incidents at the same time are below each other. */
  readonly row: number
}
interface Lane {
  readonly id: string
  readonly name: string
  readonly bars: readonly Bar[]
  readonly rows: number
}

/** The lanes in the order of their latest incident, which the list is sorted by. */
function lanesOf(incidents: readonly Incident[], by: LaneBy, systemName: string, to: number): Lane[] {
  const lanes = new Map<string, { readonly name: string; readonly incidents: Incident[] }>()
  for (const incident of incidents) {
    const [id, name] =
      by === 'device'
        ? [incident.device_id ?? '', incident.device_name ?? systemName]
        : [incident.policy_id, incident.policy_name]
    const lane = lanes.get(id)
    if (lane) lane.incidents.push(incident)
    else lanes.set(id, { name, incidents: [incident] })
  }
  return [...lanes].map(([id, lane]) => ({ id, name: lane.name, ...barsOf(lane.incidents, to) }))
}

/** The bars of a lane, each in the first row that is free when it begins. */
function barsOf(incidents: readonly Incident[], to: number): Pick<Lane, 'bars' | 'rows'> {
  const ends: number[] = []
  const bars = [...incidents]
    .map((incident) => ({
      incident,
      begin: Date.parse(incident.triggered_at),
      end: incident.closed_at === null ? to : Date.parse(incident.closed_at),
    }))
    .sort((one, other) => one.begin - other.begin)
    .map((bar) => {
      const free = ends.findIndex((end) => end <= bar.begin)
      const row = free < 0 ? ends.length : free
      ends[row] = bar.end
      return { ...bar, row }
    })
  return { bars, rows: ends.length }
}

/** From the earliest beginning until now, at least one minute. */
function spanOf(incidents: readonly Incident[], now: number) {
  const from = Math.min(now - 60_000, ...incidents.map(({ triggered_at }) => Date.parse(triggered_at)))
  const to = Math.max(now, ...incidents.map(({ triggered_at }) => Date.parse(triggered_at)))
  return { from, to }
}

interface IncidentTimelineProps {
  readonly incidents: readonly Incident[]
  readonly by: LaneBy
  /** Milliseconds. */
  readonly now: number
  readonly onSelect: (id: string) => void
}

export function IncidentTimeline({ incidents, by, now, onSelect }: IncidentTimelineProps) {
  const t = useText()
  const { language } = useLanguage()
  const { from, to } = spanOf(incidents, now)
  const shareOf = (duration: number) => `${((duration / (to - from)) * 100).toFixed(3)}%`
  if (incidents.length === 0) return null
  return (
    <div className="alarm-timeline" aria-hidden="true">
      <div className="alarm-lanes">
        {lanesOf(incidents, by, t(ALARM_TEXTS.ALARMS_SYSTEM()), to).map((lane) => (
          <div key={lane.id} className="alarm-lane">
            <span className="alarm-name" title={lane.name}>
              {lane.name}
            </span>
            <div className="alarm-track" style={{ '--lane-rows': lane.rows }}>
              {lane.bars.map(({ incident: { id, severity, status, message }, begin, end, row }) => (
                <button
                  key={id}
                  type="button"
                  tabIndex={-1}
                  className="alarm-bar"
                  data-tone={SEVERITIES[severity].tone ?? 'neutral'}
                  data-status={status}
                  title={`${message} · ${formatInstant(begin, 'dateTime', language)}`}
                  style={{
                    '--bar-row': row,
                    '--bar-left': shareOf(begin - from),
                    '--bar-width': shareOf(Math.max(end - begin, 0)),
                  }}
                  onClick={() => onSelect(id)}
                />
              ))}
            </div>
          </div>
        ))}
      </div>
      <div className="alarm-times">
        <span>{formatInstant(from, 'dateTime', language)}</span>
        <span>{formatInstant(to, 'dateTime', language)}</span>
      </div>
      <Legend />
    </div>
  )
}

function Legend() {
  const t = useText()
  return (
    <div className="row alarm-legend">
      {(['critical', 'warning', 'info'] as const).map((severity) => (
        <span key={severity}>
          <span className="alarm-sign" data-tone={SEVERITIES[severity].tone ?? 'neutral'} />
          {t(SEVERITIES[severity].text())}
        </span>
      ))}
      <span>
        <span className="alarm-sign" data-tone="neutral" data-status="closed" />
        {t(ALARM_TEXTS.ALARMS_NOT_ACTIVE())}
      </span>
    </div>
  )
}
