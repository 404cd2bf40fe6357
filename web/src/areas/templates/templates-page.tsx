import { Link } from '@tanstack/react-router'
import { useText } from '../../kernel/text.tsx'
import { TEMPLATES } from '../../records/plant-resources.ts'
import { RecordList } from '../../records/record-list.tsx'
import { Page } from '../../ui/page.tsx'
import { TemplateImport } from './template-import.tsx'
import { TEMPLATE_PAGE_TEXTS } from './texts.ts'

/** The templates of devices: those of the tenant, and those of the service. */
export function TemplatesPage() {
  const t = useText()
  return (
    <Page title={t(TEMPLATE_PAGE_TEXTS.TEMPLATES())} actions={<TemplateImport />}>
      <RecordList
        resource={TEMPLATES}
        linkOf={(record, text) => (
          <Link to="/templates/$templateId" params={{ templateId: record.id }}>
            {text}
          </Link>
        )}
      />
    </Page>
  )
}
