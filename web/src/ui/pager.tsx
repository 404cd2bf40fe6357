import type { ReactNode } from 'react'
import { useText } from '../kernel/text.tsx'
import { Button } from './controls.tsx'
import { UI_TEXTS } from './texts.ts'

interface PageButtonsProps {
  /** From 1. */
  readonly page: number
  readonly hasNext: boolean
  readonly onPage: (page: number) => void
  /** Between the buttons. */
  readonly children?: ReactNode
}

/** The buttons that turn the pages of a list; nothing where it has one page. */
export function PageButtons({ page, hasNext, onPage, children }: PageButtonsProps) {
  const t = useText()
  if (page <= 1 && !hasNext) return null
  return (
    <div className="row">
      <Button isDisabled={page <= 1} onPress={() => onPage(page - 1)}>
        {t(UI_TEXTS.UI_PREVIOUS())}
      </Button>
      {children}
      <Button isDisabled={!hasNext} onPress={() => onPage(page + 1)}>
        {t(UI_TEXTS.UI_NEXT())}
      </Button>
    </div>
  )
}

interface PagerProps extends Pick<PageButtonsProps, 'page' | 'onPage'> {
  readonly pageSize: number
  readonly total: number
}

/** The buttons of a list whose length is known. */
export function Pager({ page, pageSize, total, onPage }: PagerProps) {
  const t = useText()
  const first = (page - 1) * pageSize + 1
  const last = Math.min(total, page * pageSize)
  return (
    <PageButtons page={page} hasNext={last < total} onPage={onPage}>
      <span role="status">{t(UI_TEXTS.UI_PAGE_RANGE({ first, last, total }))}</span>
    </PageButtons>
  )
}
