import { LINK_PAGES } from '../../../kernel/console-sections.ts'
import { forEveryone } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { packageVersion } from '../../../platform/settings/version.ts'
import { CONTENT_SECURITY_POLICY, pageHtml, pageLanguage } from './html.ts'
import { LANDING_SECURITY_POLICY, landingHtml } from './landing.ts'
import type { PageName } from './texts.ts'

/** The pages of a service without a build of the console, as when it runs from the sources. */
export function addFallbackPages(app: App): void {
  addLandingPage(app)
  addLinkPages(app)
}

/** Pages for the links in mails: forms that call the API. */
function addLinkPages(app: App): void {
  for (const name of LINK_PAGES satisfies readonly PageName[]) {
    const html = { tr: pageHtml(name, 'tr'), en: pageHtml(name, 'en') }
    app.get(`/${name}`, { ...forEveryone, schema: { hide: true } }, (request, reply) =>
      reply
        .type('text/html; charset=utf-8')
        .header('Content-Security-Policy', CONTENT_SECURITY_POLICY)
        .header('Vary', 'Accept-Language')
        .send(html[pageLanguage(request.headers['accept-language'])]),
    )
  }
}

/** The page at `/`. */
function addLandingPage(app: App): void {
  const version = packageVersion()
  const html = { tr: landingHtml({ version }, 'tr'), en: landingHtml({ version }, 'en') }
  app.get('/', { ...forEveryone, schema: { hide: true } }, (request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('Content-Security-Policy', LANDING_SECURITY_POLICY)
      .header('Vary', 'Accept-Language')
      .send(html[pageLanguage(request.headers['accept-language'])]),
  )
}
