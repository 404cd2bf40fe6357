/**
 * Entries that would be lost. Every form is registered here while it is shown (`EntryForm`), and so are editors that
 * are no form (`useUnsavedChanges`). What would remove them from the page, a navigation or a closed dialog, goes
 * through `leave`, which asks first if there are changed entries in the part that would be removed.
 */
import { type RefObject, useEffect, useRef } from 'react'

export interface Entries {
  readonly element: () => Element | null
  readonly isChanged: () => boolean
  /** Whether the entries are stored until the tab is closed, so that only that loses them. */
  readonly isKept?: () => boolean
  /** Called when the user gives the entries up. */
  readonly discard: () => void
}

const shown = new Set<Entries>()

export function registerEntries(entries: Entries): () => void {
  shown.add(entries)
  return () => {
    shown.delete(entries)
  }
}

const changedIn = (part: Node): readonly Entries[] =>
  [...shown].filter(
    (entries) => part.contains(entries.element()) && entries.isChanged() && !entries.isKept?.(),
  )

export const hasUnsaved = (part: Node): boolean => changedIn(part).length > 0

/** Whether closing the tab loses entries. */
export const losesWithTab = (): boolean => [...shown].some(({ isChanged }) => isChanged())

/** Resolves to whether the entries may be lost. */
export type Question = () => Promise<boolean>

let question: Question | undefined

/** The question of the pages with a session; without one, nothing is asked. */
export function setQuestion(asked: Question | undefined): void {
  question = asked
}

/** Resolves to whether a part of the page may be removed, after a question if there are changed entries in it. */
export async function mayLeave(part: Node = document): Promise<boolean> {
  const changed = changedIn(part)
  if (changed.length === 0 || !question) return true
  const isLeaving = await question()
  if (isLeaving) for (const entries of changed) entries.discard()
  return isLeaving
}

/** Performs a step that removes a part of the page, at once if nothing is lost by it. */
export function leave(part: Node, step: () => void): void {
  if (!hasUnsaved(part)) step()
  else void mayLeave(part).then((isLeaving) => isLeaving && step())
}

/** Performs the step of a button that closes the dialog or the section in which the button is. */
export const leaveFrom = ({ target }: { readonly target: Element }, step: () => void): void =>
  leave(target.closest('dialog, section') ?? document, step)

/** Registers an editor that is no form, with an element of it. */
export function useUnsavedChanges(
  element: RefObject<Element | null>,
  isChanged: boolean,
  isKept = false,
): void {
  const current = useRef({ isChanged, isKept })
  current.current = { isChanged, isKept }
  useEffect(
    () =>
      registerEntries({
        element: () => element.current,
        isChanged: () => current.current.isChanged,
        isKept: () => current.current.isKept,
        discard() {
          current.current = { isChanged: false, isKept }
        },
      }),
    [element, isKept],
  )
}
