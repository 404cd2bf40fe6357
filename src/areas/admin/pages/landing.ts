import type { ApiInfo } from '../../../platform/http/openapi.ts'
import { hashOf } from './html.ts'
import { STYLE } from './script-and-style.ts'
import { LANDING, type PageLanguage } from './texts.ts'

/** The page has no script and loads nothing. */
export const LANDING_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src ${hashOf(STYLE)}`,
  'img-src data:',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * Renders the page at `/`: what this service is, and links to its API. The links are relative, so that they work below
 * a path of a proxy. All texts are constants, so nothing needs to be escaped.
 */
export function landingHtml({ version }: Pick<ApiInfo, 'version'>, language: PageLanguage): string {
  const { intro, api, document, health, readiness, signIn } = LANDING[language]
  const links = [
    ['docs', api],
    ['openapi.json', document],
    ['health', health],
    ['readiness', readiness],
  ]
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Netsaat</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Netsaat</h1>
<p class="brand">${version}</p>
<p>${intro}</p>
<ul>
${links.map(([path, text]) => `<li><a href="${path}">${text}</a></li>`).join('\n')}
</ul>
<p>${signIn} <code>POST /api/auth/login</code></p>
</main>
</body>
</html>
`
}
