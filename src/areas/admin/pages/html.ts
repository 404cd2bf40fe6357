import { createHash } from 'node:crypto'
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../../../kernel/limits.ts'
import { SCRIPT, STYLE } from './script-and-style.ts'
import { COMMON, PAGES, type PageLanguage, type PageName } from './texts.ts'

interface Form {
  readonly endpoint: string
  readonly password: string
  readonly hasName: boolean
  /** False: the form asks for the present password. */
  readonly setsPassword: boolean
}

/** The API endpoint of each form, relative to the folder of the page, and the name of its password field. */
const FORMS: Readonly<Record<PageName, Form>> = {
  'password-reset': {
    endpoint: 'api/auth/password-reset/confirm',
    password: 'new_password',
    hasName: false,
    setsPassword: true,
  },
  invitation: {
    endpoint: 'api/auth/invitations/accept',
    password: 'password',
    hasName: true,
    setsPassword: true,
  },
  signup: {
    endpoint: 'api/auth/signup/confirm',
    password: 'password',
    hasName: false,
    setsPassword: false,
  },
  'email-verification': {
    endpoint: 'api/auth/email-verification/confirm',
    password: 'password',
    hasName: false,
    setsPassword: false,
  },
}

/** The source expression of a Content-Security-Policy for an inline script or style. */
export const hashOf = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/**
 * Allows the page's own script and style and calls of this service only. Without the script the form cannot
 * be sent.
 */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `script-src ${hashOf(SCRIPT)}`,
  `style-src ${hashOf(STYLE)}`,
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

function fields(name: PageName, language: PageLanguage): string {
  const { password, hasName, setsPassword } = FORMS[name]
  const labels = COMMON[language]
  if (!setsPassword)
    return `<label for="${password}">${labels.ownPassword}</label>
<input id="${password}" name="${password}" type="password" autocomplete="current-password" required>`
  const limits = `minlength="${PASSWORD_MIN_LENGTH}" maxlength="${PASSWORD_MAX_LENGTH}"`
  const passwordInput = (id: string, attributes: string): string =>
    `<input id="${id}" name="${id}" type="password" autocomplete="new-password" required ${attributes}>`
  const fullName = `<label for="full_name">${labels.fullName}</label>
<input id="full_name" name="full_name" autocomplete="name" maxlength="200" required>
`
  return `${hasName ? fullName : ''}<label for="${password}">${labels.password}</label>
${passwordInput(password, `${limits} aria-describedby="rule"`)}
<p class="rule" id="rule">${labels.rule}</p>
<label for="again">${labels.again}</label>
${passwordInput('again', '')}`
}

/** Renders a page. All texts are constants, so nothing needs to be escaped. */
export function pageHtml(name: PageName, language: PageLanguage): string {
  const { endpoint, password } = FORMS[name]
  const common = COMMON[language]
  const { title, intro, button, done, expired, refused = common.refused } = PAGES[name][language]
  const { waiting, different, later, failed, scriptless } = common
  const statusTexts = { waiting, different, refused, later, failed, done, expired }
  const statusParagraphs = Object.entries(statusTexts).map(
    ([key, text]) => `<p data-text="${key}" hidden>${text}</p>`,
  )
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Netsaat</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<p class="brand">Netsaat</p>
<h1>${title}</h1>
<noscript><p>${scriptless}</p></noscript>
<form data-endpoint="${endpoint}" data-password="${password}" hidden>
<p>${intro}</p>
${fields(name, language)}
<button>${button}</button>
</form>
<div role="status">
${statusParagraphs.join('\n')}
</div>
</main>
<script>${SCRIPT}</script>
</body>
</html>
`
}

/** The first supported language of Accept-Language; Turkish by default. */
export function pageLanguage(acceptLanguage: string | undefined): PageLanguage {
  const requested = (acceptLanguage ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.trim().slice(0, 2))
  return requested.find((language) => language === 'tr' || language === 'en') === 'en' ? 'en' : 'tr'
}
