/** The frames that a page draws, and when it shows something. */
import type { Page } from 'playwright-core'
import { median } from '../support/types.ts'

export interface Frames {
  readonly median: number
  /** Milliseconds. */
  readonly longest: number
  /** Dropped frames by all frames of 60 a second. */
  readonly droppedShare: number
}

const FRAME_MS = 1000 / 60

/** Records the time between the frames of a page while something happens on it. */
export async function recordFrames(page: Page, work: () => Promise<unknown>): Promise<Frames> {
  await page.evaluate(`(() => {
    window.frameTimes = []
    let last
    const tick = (at) => {
      if (last !== undefined) window.frameTimes.push(at - last)
      last = at
      window.frameRequest = requestAnimationFrame(tick)
    }
    window.frameRequest = requestAnimationFrame(tick)
  })()`)
  await work()
  const times = await page.evaluate<number[]>('cancelAnimationFrame(window.frameRequest), window.frameTimes')
  const frames = times.map((time) => Math.max(1, Math.round(time / FRAME_MS)))
  const all = frames.reduce((sum, count) => sum + count, 0)
  return { median: median(times), longest: Math.max(...times), droppedShare: 1 - frames.length / all }
}

export const summary = ({ median: middle, longest, droppedShare }: Frames): string =>
  `${(droppedShare * 100).toFixed(1)} % dropped, median ${middle.toFixed(0)} ms, longest ${longest.toFixed(0)} ms`

/** Milliseconds from the request of an address until the frame after an element appeared. */
export async function whenShown(page: Page, url: string, selector: string): Promise<number> {
  await page.addInitScript(`(() => {
    const observer = new MutationObserver(() => {
      if (!document.querySelector(${JSON.stringify(selector)})) return
      observer.disconnect()
      requestAnimationFrame(() => setTimeout(() => (window.shownAt = performance.now())))
    })
    observer.observe(document, { childList: true, subtree: true })
  })()`)
  await page.goto(url)
  return page.evaluate<number>(`new Promise((resolve) => {
    const look = () => (window.shownAt === undefined ? setTimeout(look, 5) : resolve(window.shownAt))
    look()
  })`)
}
