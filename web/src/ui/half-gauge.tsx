/** A half circle that is filled up to the share of a value, with the beginnings of its warning and critical ranges. */
import type { Tone } from './controls.tsx'

interface HalfGaugeProps {
  /** 0 to 1; undefined for an unknown value. */
  readonly share: number | undefined
  readonly tone: Tone
  /** Shares at which the ranges begin. */
  readonly marks: readonly { readonly share: number; readonly tone: Tone }[]
}

const RADIUS = 80
const CENTRE = 100
const TOP = 96
const LENGTH = Math.PI * RADIUS

function pointAt(share: number, radius: number) {
  const angle = Math.PI * (1 - share)
  return { x: CENTRE + radius * Math.cos(angle), y: TOP - radius * Math.sin(angle) }
}

export function HalfGauge({ share, tone, marks }: HalfGaugeProps) {
  const arc = `M ${CENTRE - RADIUS} ${TOP} A ${RADIUS} ${RADIUS} 0 0 1 ${CENTRE + RADIUS} ${TOP}`
  const filled = LENGTH * Math.min(Math.max(share ?? 0, 0), 1)
  return (
    <svg className="half-gauge" viewBox="0 0 200 104" aria-hidden="true">
      <path d={arc} className="half-gauge-ground" />
      {share !== undefined && filled > 0 && (
        <path d={arc} className="half-gauge-value" data-tone={tone} strokeDasharray={`${filled} ${LENGTH}`} />
      )}
      {marks.map((mark) => {
        const [inner, outer] = [pointAt(mark.share, RADIUS - 14), pointAt(mark.share, RADIUS + 14)]
        return (
          <line
            key={`${mark.tone} ${mark.share}`}
            className="half-gauge-mark"
            data-tone={mark.tone}
            x1={inner.x}
            y1={inner.y}
            x2={outer.x}
            y2={outer.y}
          />
        )
      })}
    </svg>
  )
}
