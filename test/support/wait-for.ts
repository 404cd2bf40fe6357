import { setTimeout } from 'node:timers/promises'

const FIRST_PAUSE_MS = 5
const PAUSE_FACTOR = 1.5
const PAUSE_MAX_MS = 150

/**
 * Polls until the condition holds; throws after `maxMs`. The pauses grow, because a condition is often a statement or a
 * request, and many of them take the processor from what is waited for on a slow machine.
 */
export async function waitFor(condition: () => boolean | Promise<boolean>, maxMs = 60_000): Promise<void> {
  const until = performance.now() + maxMs
  for (let pauseMs = FIRST_PAUSE_MS; !(await condition()); pauseMs *= PAUSE_FACTOR) {
    if (performance.now() > until) throw new Error(`waited ${maxMs} ms in vain for ${condition.toString()}`)
    await setTimeout(Math.min(pauseMs, PAUSE_MAX_MS))
  }
}
