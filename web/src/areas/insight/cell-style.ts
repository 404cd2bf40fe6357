import type { CSSProperties } from 'react'
import type { GridCell } from './layout.ts'

/** The position on the grid; on narrow screens the style sheet puts the widgets below each other in their order. */
export const cellStyle = ({ x, y, w, h }: GridCell): CSSProperties => ({
  '--widget-column': x + 1,
  '--widget-row': y + 1,
  '--widget-width': w,
  '--widget-height': h,
})
