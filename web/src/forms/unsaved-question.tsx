// biome-ignore lint/suspicious/noDeprecatedImports: only two older signatures of it are deprecated
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useText } from '../kernel/text.tsx'
import { Button } from '../ui/controls.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FORM_TEXTS } from './texts.ts'
import { losesWithTab, mayLeave, setQuestion } from './unsaved.ts'

/** Values of an address that select a part of the page; other values filter what the page shows. */
const PARTS = ['tab', 'step', 'view', 'widget', 'copy']

interface Place {
  readonly pathname: string
  readonly search: object
}

const isOtherPart = (current: Place, next: Place): boolean =>
  current.pathname !== next.pathname ||
  PARTS.some(
    (name) =>
      (current.search as Record<string, unknown>)[name] !== (next.search as Record<string, unknown>)[name],
  )

/**
 * Asks before changed entries are lost: when another page or part is opened, also with the buttons of the browser, and,
 * with the question of the browser, when the tab is closed. A session that has ended leaves without a question.
 */
export function UnsavedQuestion() {
  const t = useText()
  const [answer, setAnswer] = useState<(isLeaving: boolean) => void>()
  useEffect(() => {
    setQuestion(() => new Promise((resolve) => setAnswer(() => resolve)))
    return () => setQuestion(undefined)
  }, [])
  useBlocker({
    shouldBlockFn: async ({ current, next }) =>
      isOtherPart(current, next) && next.pathname !== '/sign-in' && !(await mayLeave()),
    enableBeforeUnload: losesWithTab,
  })
  if (!answer) return null
  const close = (isLeaving: boolean) => {
    setAnswer(undefined)
    answer(isLeaving)
  }
  return (
    <Dialog title={t(FORM_TEXTS.FORM_UNSAVED())} onClose={() => close(false)}>
      <p>{t(FORM_TEXTS.FORM_UNSAVED_NOTE())}</p>
      <div className="row">
        <Button variant="primary" onPress={() => close(false)}>
          {t(FORM_TEXTS.FORM_KEEP_EDITING())}
        </Button>
        <Button onPress={() => close(true)}>{t(FORM_TEXTS.FORM_DISCARD())}</Button>
      </div>
    </Dialog>
  )
}
