/** The pages that mails link to with a token. */
export const LINK_PAGES = ['password-reset', 'invitation', 'signup', 'email-verification'] as const

/**
 * The first segments of the addresses of the web console, such as `/netting/groups/7`. The service answers a request
 * below each of them with the page of the console, whose router shows the rest.
 */
export const CONSOLE_SECTIONS = [
  'sign-in',
  'overview',
  'dashboards',
  'netting',
  'devices',
  'exports',
  'gateways',
  'alarms',
  'charging',
  'updates',
  'safety',
  'registry',
  'templates',
  'readings',
  'tariffs',
  'administration',
  'setup',
  'account',
  ...LINK_PAGES,
] as const
