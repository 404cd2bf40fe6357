import { Link } from '@tanstack/react-router'
import { useText } from '../kernel/text.tsx'
import { PageHeading } from '../ui/page.tsx'
import { UI_TEXTS } from '../ui/texts.ts'
import { APP_TEXTS } from './texts.ts'

/** An address without a page; it is shown without the navigation, because nobody may be signed in. */
export function NotFound() {
  const t = useText()
  return (
    <div className="sign-in">
      <main>
        <div className="brand">Netsaat</div>
        <PageHeading title={t(UI_TEXTS.UI_NOT_FOUND())} />
        <Link className="button" data-variant="primary" to="/overview">
          {t(APP_TEXTS.APP_OVERVIEW())}
        </Link>
      </main>
    </div>
  )
}
