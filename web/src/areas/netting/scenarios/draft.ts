/**
 * The entries of a new scenario. They are stored in the browser while the tab is open, for each tenant and user, so
 * that the page can be left to look something up. There is one: another start is a new draft, which replaces it when
 * it is changed.
 */
import { useEffect, useRef, useState } from 'react'
import { useProfile } from '../../../api/session.tsx'
import type { Change } from './change-form.ts'
import type { Scenario } from './data.ts'

export interface Draft {
  readonly name: string
  /** Ids, separated by commas. */
  readonly groups: string
  readonly from: string
  readonly to: string
  readonly cost: string
  readonly changes: readonly Change[]
}

export const draftOf = ({ name, group_ids, from, to, cost_try, changes }: Scenario): Draft => ({
  name,
  groups: group_ids.join(', '),
  from: from.slice(0, 7),
  to: to.slice(0, 7),
  cost: cost_try ?? '',
  changes: changes as unknown as readonly Change[],
})

export const bodyOf = ({ name, groups, from, to, cost, changes }: Draft) => ({
  name: name.trim(),
  group_ids: groups.split(', ').filter((id) => id !== ''),
  from,
  to,
  changes: changes as unknown as Scenario['changes'],
  ...(cost.trim() !== '' && { cost_try: cost.trim().replace(',', '.') }),
})

interface StoredDraft {
  /** The first entries, which the address of the page gives. */
  readonly start: Draft
  readonly draft: Draft
}

const TEXTS = ['name', 'groups', 'from', 'to', 'cost'] as const satisfies readonly (keyof Draft)[]

const isDraft = (value: unknown): value is Draft => {
  const draft = (value ?? {}) as Readonly<Record<string, unknown>>
  return TEXTS.every((name) => typeof draft[name] === 'string') && Array.isArray(draft['changes'])
}

function readDraft(key: string): StoredDraft | undefined {
  try {
    const stored = JSON.parse(sessionStorage.getItem(key) ?? '') as StoredDraft
    return isDraft(stored.start) && isDraft(stored.draft) ? stored : undefined
  } catch {
    return undefined
  }
}

/** Stores a draft; false when it does not fit, which long profiles cause. */
function storeDraft(key: string, stored: StoredDraft): boolean {
  try {
    sessionStorage.setItem(key, JSON.stringify(stored))
    return true
  } catch {
    sessionStorage.removeItem(key)
    return false
  }
}

const areEqual = (first: Draft, second: Draft) => JSON.stringify(first) === JSON.stringify(second)

/** The draft of the page. An earlier one with the same start goes on; with another start it is offered. */
export function useDraft(start: Draft, isPlain: boolean) {
  const { id, tenant } = useProfile()
  const key = `netsaat-scenario-draft ${tenant.id} ${id}`
  const [earlier, setEarlier] = useState(() => readDraft(key))
  const [isResumed, setResumed] = useState(
    earlier !== undefined && (isPlain || areEqual(earlier.start, start)),
  )
  const [draft, setDraft] = useState(isResumed && earlier ? earlier.draft : start)
  const [isKept, setKept] = useState(true)
  const first = useRef(isResumed && earlier ? earlier.start : start)
  const isChanged = !areEqual(draft, first.current)
  useEffect(() => {
    if (isChanged) setKept(storeDraft(key, { start: first.current, draft }))
  }, [key, draft, isChanged])
  const begin = (next: StoredDraft, resumes: boolean) => {
    first.current = next.start
    setDraft(next.draft)
    setResumed(resumes)
    setEarlier(undefined)
  }
  return {
    draft,
    setDraft,
    isChanged,
    isKept,
    isResumed,
    /** Goes on with the earlier draft, where there is one that was not continued. */
    resume: earlier && !isResumed && !isChanged ? () => begin(earlier, true) : undefined,
    restart() {
      sessionStorage.removeItem(key)
      begin({ start, draft: start }, false)
    },
    forget() {
      sessionStorage.removeItem(key)
    },
  }
}
