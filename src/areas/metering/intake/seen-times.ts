import { floatAt } from '../../../kernel/checked.ts'

/** Device keys come from one sequence, so that neighbours share a page. */
const KEYS_PER_PAGE = 1_024

/**
 * An instant for each device key, in pages of numbers: eight bytes for a device, where an entry of a map takes fifty. A
 * process keeps one for every device that it has stored a sample of.
 */
export class SeenTimes {
  readonly #pages = new Map<number, Float64Array>()

  /** Undefined for a device without an instant. */
  get(key: number): number | undefined {
    const page = this.#pages.get(Math.floor(key / KEYS_PER_PAGE))
    if (!page) return undefined
    const at = floatAt(page, key % KEYS_PER_PAGE)
    return Number.isNaN(at) ? undefined : at
  }

  set(key: number, at: number): void {
    const number = Math.floor(key / KEYS_PER_PAGE)
    let page = this.#pages.get(number)
    if (!page) {
      page = new Float64Array(KEYS_PER_PAGE).fill(Number.NaN)
      this.#pages.set(number, page)
    }
    page[key % KEYS_PER_PAGE] = at
  }

  delete(key: number): void {
    if (this.get(key) !== undefined) this.set(key, Number.NaN)
  }
}
