import { forEveryone } from '../../../platform/http/access.ts'
import type { App } from '../../../platform/http/app-type.ts'
import { packageVersion } from '../../../platform/settings/version.ts'
import { CONTENT_SECURITY_POLICY, pageHtml, pageLanguage } from './html.ts'
import { LANDING_SECURITY_POLICY, landingHtml } from './landing.ts'
import type { PageName } from './texts.ts'

/**
 * Fallback pages for the links in mails, for installations whose front end has no such pages: forms that
 * call the API.
 */
export function pageRoutes(app: App): void {
  for (const name of [
    'password-reset',
    'invitation',
    'signup',
    'email-verification',
  ] as const satisfies PageName[]) {
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

/** The page at `/` of a service without a build of the console. */
export function addLandingPage(app: App): void {
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
