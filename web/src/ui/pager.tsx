import { useText } from '../kernel/text.tsx'
import { Button } from './controls.tsx'
import { UI_TEXTS } from './texts.ts'

interface PagerProps {
  /** From 1. */
  readonly page: number
  readonly pageSize: number
  readonly total: number
  readonly onPage: (page: number) => void
}

export function Pager({ page, pageSize, total, onPage }: PagerProps) {
  const t = useText()
  const first = (page - 1) * pageSize + 1
  const last = Math.min(total, page * pageSize)
  if (total <= pageSize && page === 1) return null
  return (
    <div className="row">
      <Button isDisabled={page <= 1} onPress={() => onPage(page - 1)}>
        {t(UI_TEXTS.UI_PREVIOUS())}
      </Button>
      <span role="status">{t(UI_TEXTS.UI_PAGE_RANGE({ first, last, total }))}</span>
      <Button isDisabled={last >= total} onPress={() => onPage(page + 1)}>
        {t(UI_TEXTS.UI_NEXT())}
      </Button>
    </div>
  )
}
