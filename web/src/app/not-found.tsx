import { Link } from '@tanstack/react-router'
import { useText } from '../kernel/text.tsx'
import { Page } from '../ui/page.tsx'
import { UI_TEXTS } from '../ui/texts.ts'
import { APP_TEXTS } from './texts.ts'

export function NotFound() {
  const t = useText()
  return (
    <Page title={t(UI_TEXTS.UI_NOT_FOUND())}>
      <p>
        <Link to="/overview">{t(APP_TEXTS.APP_OVERVIEW())}</Link>
      </p>
    </Page>
  )
}
