import type { CSSProperties } from 'react'
import type { Place } from './layout.ts'

/** The position on the grid; on narrow screens the style sheet puts the widgets below each other in their order. */
export const placeStyle = ({ x, y, w, h }: Place): CSSProperties => ({
  '--widget-column': x + 1,
  '--widget-row': y + 1,
  '--widget-width': w,
  '--widget-height': h,
})
