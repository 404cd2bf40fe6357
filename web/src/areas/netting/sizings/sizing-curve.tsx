import { formatDecimal, formatShort } from '../../../kernel/decimal.ts'
import { useLanguage, useText } from '../../../kernel/text.tsx'
import type { SizingPoint } from './data.ts'
import { SIZING_PAGE_TEXTS as TEXTS } from './texts.ts'

const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = [720, 260, 90, 34, 14]
const RADIUS = 5

interface SizingCurveProps {
  readonly points: readonly SizingPoint[]
  readonly bindingSize: string | null
  readonly unit: string
}

/** The benefit over the size, with a mark at the size at which the limit binds. The table has the same figures. */
export function SizingCurve({ points, bindingSize, unit }: SizingCurveProps) {
  const t = useText()
  const { language } = useLanguage()
  const known = points.flatMap(({ size, benefit_try }) =>
    benefit_try === null ? [] : [{ size, benefit_try, x: Number(size), y: Number(benefit_try) }],
  )
  if (known.length === 0) return null
  const xs = known.map(({ x }) => x)
  const ys = [0, ...known.map(({ y }) => y)]
  const x = scale([Math.min(...xs), Math.max(...xs)], [LEFT, WIDTH - 20])
  const y = scale([Math.min(...ys), Math.max(...ys)], [HEIGHT - BOTTOM, TOP])
  const binding = known.find(({ size }) => size === bindingSize)
  const amounts = known.map(({ y: value, benefit_try }) => ({
    value,
    text: formatDecimal(benefit_try, 2, language),
  }))
  const ends = endsOf([{ value: 0, text: '0' }, ...amounts])
  return (
    <figure className="card sizing-curve">
      <figcaption>{t(TEXTS.SIZINGS_CURVE())}</figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" fill="var(--text-muted)" fontSize={12}>
        <line x1={LEFT} x2={WIDTH - 20} y1={y(0)} y2={y(0)} stroke="var(--border)" />
        <polyline
          points={known.map((point) => `${x(point.x)},${y(point.y)}`).join(' ')}
          fill="none"
          stroke="var(--energy-matched)"
          strokeWidth={2}
        />
        {binding && (
          <>
            <line
              x1={x(binding.x)}
              x2={x(binding.x)}
              y1={TOP}
              y2={HEIGHT - BOTTOM}
              stroke="var(--energy-over-limit)"
              strokeDasharray="4 4"
            />
            <circle cx={x(binding.x)} cy={y(binding.y)} r={RADIUS} fill="var(--energy-over-limit)" />
          </>
        )}
        {ends.map(({ value, text }) => (
          <text key={value} x={LEFT - 8} y={y(value) + 4} textAnchor="end">
            {text}
          </text>
        ))}
        {endsOf(known.map(({ x: value, size }) => ({ value, text: formatShort(size, language) }))).map(
          ({ value, text }, index) => (
            <text key={value} x={x(value)} y={HEIGHT - 10} textAnchor={index === 0 ? 'start' : 'end'}>
              {text} {unit}
            </text>
          ),
        )}
      </svg>
    </figure>
  )
}

interface AxisText {
  readonly value: number
  readonly text: string
}

/** The smallest and the largest value; one of them where both are equal. */
function endsOf(texts: readonly AxisText[]): readonly AxisText[] {
  const sorted = texts.toSorted((one, other) => one.value - other.value)
  const [first, last] = [sorted[0], sorted.at(-1)]
  if (!first || !last) return []
  return first.value === last.value ? [first] : [first, last]
}

/** A linear scale; all values of an empty range are in the middle. */
function scale(
  [from, to]: readonly [number, number],
  [start, end]: readonly [number, number],
): (value: number) => number {
  return (value) => (to === from ? (start + end) / 2 : start + ((value - from) / (to - from)) * (end - start))
}
