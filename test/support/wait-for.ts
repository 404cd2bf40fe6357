import { setTimeout } from 'node:timers/promises'

/** Polls until the condition holds; throws after `maxMs`. */
export async function waitFor(condition: () => boolean | Promise<boolean>, maxMs = 60_000): Promise<void> {
  const until = performance.now() + maxMs
  while (!(await condition())) {
    if (performance.now() > until) throw new Error(`waited ${maxMs} ms in vain for ${condition.toString()}`)
    await setTimeout(5)
  }
}
