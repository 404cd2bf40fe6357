/**
 * Columns of a chart over time, and how they are joined where several share a pixel: a year of hours has ten to each
 * pixel of a window. Columns are in the order of time, without gaps between them.
 */

/** Positions of a column in milliseconds and kWh. */
export interface StackedColumn {
  readonly from: number
  readonly to: number
  readonly state: 'known' | 'unknown' | 'not_calculated'
  /** From the bottom up, in the order of the layers. */
  readonly layers: readonly (number | null)[]
  readonly lines: readonly (number | null)[]
  /** Indexes of the marks. */
  readonly marks: readonly number[]
}

/** What is drawn at a position: a column, or all columns that begin in the same pixel. */
export interface PixelColumn {
  /** In pixels of the canvas. */
  readonly left: number
  width: number
  /** Whether it stands for several columns. */
  isJoined: boolean
  hasUnknown: boolean
  hasKnown: boolean
  /** The top of each layer on those below it; of several columns the highest one. */
  readonly tops: number[]
  /** The largest value of each line; undefined: no value is known. */
  readonly lines: (number | undefined)[]
  readonly marks: Set<number>
}

/** Joins the columns that begin in the same pixel, so that the highest value and every mark of them is seen. */
export function pixelColumns(
  columns: readonly StackedColumn[],
  x: (at: number) => number,
): readonly PixelColumn[] {
  const joined: PixelColumn[] = []
  for (const column of columns) {
    const left = x(column.from)
    let pixel = joined.at(-1)
    if (pixel?.left === left) pixel.isJoined = true
    else {
      pixel = {
        ...{ left, width: 1, isJoined: false, hasUnknown: false, hasKnown: false },
        ...{ tops: [], lines: [], marks: new Set() },
      }
      joined.push(pixel)
    }
    join(pixel, column)
    pixel.width = Math.max(1, x(column.to) - left)
  }
  return joined
}

function join(pixel: PixelColumn, { state, layers, lines, marks }: StackedColumn): void {
  if (state === 'unknown') pixel.hasUnknown = true
  if (state === 'known') pixel.hasKnown = true
  let sum = 0
  for (const [index, layer] of layers.entries()) {
    sum += Math.max(0, layer ?? 0)
    pixel.tops[index] = Math.max(pixel.tops[index] ?? 0, sum)
  }
  for (const [index, value] of lines.entries()) {
    const known = pixel.lines[index]
    pixel.lines[index] = value === null ? known : Math.max(known ?? value, value)
  }
  for (const mark of marks) pixel.marks.add(mark)
}

/** The index of the column that contains an instant; undefined outside of all. */
export function columnIndexAt(
  columns: readonly Pick<StackedColumn, 'from' | 'to'>[],
  at: number,
): number | undefined {
  let [low, high] = [0, columns.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const column = columns[middle]
    if (!column) return undefined
    if (at < column.from) high = middle - 1
    else if (at >= column.to) low = middle + 1
    else return middle
  }
  return undefined
}
