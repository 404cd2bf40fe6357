/** Date fields of the console (`web/src/ui/date-field.tsx`). */
import type { Locator, Page } from 'playwright-core'

export const dateField = (scope: Page | Locator, label: string): Locator =>
  // The label of a field that must be filled ends with an asterisk.
  scope.getByRole('group', { name: new RegExp(`^${label}( \\*)?$`) })

/** Types a day, month, time or local instant into the parts of its field: `2026-05-01T08:00`, or one part of it. */
export async function enterDate(scope: Page | Locator, label: string, value: string): Promise<void> {
  const [date = '', time = ''] = value.includes('T') || !value.includes(':') ? value.split('T') : ['', value]
  const [year, month, day] = date.split('-')
  const [hour, minute] = time.split(':')
  const digits: Readonly<Record<string, string | undefined>> = { year, month, day, hour, minute }
  const parts = dateField(scope, label).getByRole('spinbutton')
  await parts.first().waitFor()
  for (const part of await parts.all())
    await part.pressSequentially(digits[(await part.getAttribute('data-type')) ?? ''] ?? '')
}

/** What a field shows, such as "01/05/2026". */
export const shownDate = async (scope: Page | Locator, label: string): Promise<string> =>
  // Marks of the direction of writing surround the time.
  ((await dateField(scope, label).textContent()) ?? '').replaceAll(/[\u2066\u2069]/g, '')
