import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Notice } from './controls.tsx'
import { useErrorText } from './page.tsx'

type Outcome = { readonly text: string | undefined } | { readonly error: unknown }

/**
 * A change that a button makes. `run` starts it, and then reads `paths` again; `notice` is its text or its error.
 * While it runs, `isRunning` is true and further ones are not started.
 */
export function useAction(paths: readonly string[]) {
  const errorText = useErrorText()
  const queries = useQueryClient()
  const [outcome, setOutcome] = useState<Outcome>()
  const [isRunning, setRunning] = useState(false)
  const run = async (action: () => Promise<string | undefined>) => {
    if (isRunning) return
    setRunning(true)
    setOutcome(undefined)
    try {
      setOutcome({ text: await action() })
    } catch (error) {
      setOutcome({ error })
    } finally {
      setRunning(false)
      await Promise.all(paths.map((path) => queries.invalidateQueries({ queryKey: [path] })))
    }
  }
  return { run, isRunning, notice: noticeOf(outcome, errorText) }
}

function noticeOf(outcome: Outcome | undefined, errorText: (error: unknown) => string): ReactNode {
  if (!outcome) return null
  if ('error' in outcome) return <Notice tone="danger">{errorText(outcome.error)}</Notice>
  return outcome.text === undefined ? null : <Notice tone="success">{outcome.text}</Notice>
}
