import { Link } from '@tanstack/react-router'
import { useText } from '../../../kernel/text.tsx'
import { OPTIMISATIONS } from '../../../records/optimisation-resources.ts'
import { RecordList } from '../../../records/record-list.tsx'
import { Page } from '../../../ui/page.tsx'
import { OPTIMISATION_PAGE_TEXTS as TEXTS } from './texts.ts'

/** The optimisations of the tenant, the newest first. */
export function OptimisationsPage() {
  const t = useText()
  return (
    <Page title={t(TEXTS.OPTIMISATIONS())}>
      <RecordList
        resource={OPTIMISATIONS}
        linkOf={({ id }, text) => (
          <Link to="/netting/optimisations/$optimisationId" params={{ optimisationId: id }}>
            {text}
          </Link>
        )}
      />
    </Page>
  )
}
